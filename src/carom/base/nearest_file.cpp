#include "carom/base/nearest_file.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "carom/base/nearest_name.h"
#include "carom/base/utf8.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

/// A hint is not worth reading huge folders.
constexpr std::size_t kMostEntriesRead = 10'000;

/// Names in a folder, of files or of folders, by alphabet.
std::vector<std::string> entries(const fs::path& folder, bool are_folders) {
  std::error_code error;
  std::vector<std::string> names;
  fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, error);
  for (; !error && entry != fs::directory_iterator() && names.size() < kMostEntriesRead; entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_directory(ignored) == are_folders) names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The entry of a folder whose name is nearest, of files or of folders; of equally near ones the first by alphabet.
std::optional<fs::path> nearest_entry(const fs::path& folder, const std::string& name, bool is_folder) {
  const std::vector<std::string> names = entries(folder, is_folder);
  // Only the ending is missing.
  const auto whole = std::find_if(names.begin(), names.end(),
                                  [&name](const std::string& known) { return fs::path(known).stem() == name; });
  if (whole != names.end()) return folder / *whole;
  // Endings that agree do not make names alike: then what stands before them is compared.
  const std::string ending = fs::path(name).extension().string();
  std::vector<std::string_view> alike, others;
  for (const std::string& known : names) {
    const bool agrees = !ending.empty() && known.ends_with(ending);
    (agrees ? alike : others).push_back(std::string_view(known).substr(0, known.size() - (agrees ? ending.size() : 0)));
  }
  if (const auto stem = nearest_name(fs::path(name).stem().string(), alike))
    return folder / (std::string(*stem) + ending);
  if (const auto nearest = nearest_name(name, others)) return folder / *nearest;
  return std::nullopt;
}

bool exists_as_folder(const fs::path& folder) {
  std::error_code ignored;
  return folder.empty() || fs::is_directory(folder, ignored);
}

/// The folder with misspelt parts put right; none where a part has nothing near.
std::optional<fs::path> nearest_folder(const fs::path& asked) {
  fs::path folder;
  for (const fs::path& part : asked) {
    if (exists_as_folder(folder / part)) {
      folder /= part;
      continue;
    }
    const auto nearest = nearest_entry(folder, part.string(), true);
    if (!nearest) return std::nullopt;
    folder = *nearest;
  }
  return folder;
}

/// A file of the folder itself or of a folder in it; one of exactly this name or stem before one that is only near.
std::optional<fs::path> file_below(const fs::path& folder, const std::string& name) {
  std::vector<fs::path> places = {folder};
  for (const std::string& inner : entries(folder, true)) {
    if (!inner.starts_with('.')) places.push_back(folder / inner);
  }
  std::optional<fs::path> near;
  for (const fs::path& place : places) {
    auto found = nearest_entry(place, name, false);
    if (!found) continue;
    if (found->filename() == name || found->stem() == name) return found;
    if (!near) near = found;
  }
  return near;
}

/// The part of a path that exists.
fs::path existing_part(fs::path folder) {
  while (!exists_as_folder(folder)) folder = folder.parent_path();
  return folder;
}

}  // namespace

std::string nearest_file_hint(const std::string& path) {
  const fs::path asked(path);
  const fs::path folder = asked.parent_path();
  const std::string name = asked.filename().string();
  const auto meant = [](const fs::path& file) { return "; did you mean '" + printable(file.string()) + "'?"; };
  const auto corrected = nearest_folder(folder);
  if (corrected) {
    if (const auto found = nearest_entry(*corrected, name, false)) return meant(*found);
  }
  if (const auto found = file_below(existing_part(folder), name)) return meant(*found);
  if (exists_as_folder(folder)) return {};
  const std::string missing = "; there is no folder '" + printable(folder.string()) + "'";
  return corrected ? missing + meant(*corrected) : missing;
}

}  // namespace carom
