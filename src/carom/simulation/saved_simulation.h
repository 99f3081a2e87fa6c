#pragma once
/// A simulation as bytes that can be told from others: which carom wrote them, of which scene they are, and whether
/// they are as they were written.
///
///   "carom checkpoint\n", format, number of bytes that follow the checksum, checksum (FNV-1a, 64 bits);
///   then version, name of the scene, its text, settings, and the state (Run::transfer)

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace carom {

struct SavedSimulation {
  std::string version;                ///< of carom that wrote it
  std::string name;                   ///< of the scene, for messages
  std::string scene;                  ///< text
  std::vector<std::string> settings;  ///< `path=value`, in their order
  std::vector<std::byte> state;
};

std::vector<std::byte> to_bytes(const SavedSimulation& saved);

/// Throws InputError: `file` where the bytes are no checkpoint, cut off or damaged; `unsupported` where another version
/// of carom wrote them, which may keep other things.
SavedSimulation saved_simulation(std::span<const std::byte> bytes);

/// Throws InputError (unsupported) that says where the scenes differ, unless they are the same text and settings.
void require_scene(const SavedSimulation& saved, const std::string& scene, const std::vector<std::string>& settings);

}  // namespace carom
