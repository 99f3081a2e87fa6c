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

/// The entry of a folder whose name is nearest, of files or of folders; of equally near ones the first by alphabet.
std::optional<fs::path> nearest_entry(const fs::path& folder, const std::string& name, bool is_folder) {
  std::error_code error;
  std::vector<std::string> names;
  fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, error);
  for (; !error && entry != fs::directory_iterator() && names.size() < kMostEntriesRead; entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_directory(ignored) == is_folder) names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  // Only the ending is missing.
  const auto whole = std::find_if(names.begin(), names.end(),
                                  [&name](const std::string& known) { return fs::path(known).stem() == name; });
  if (whole != names.end()) return folder / *whole;
  const std::vector<std::string_view> known(names.begin(), names.end());
  const auto nearest = nearest_name(name, known);
  if (!nearest) return std::nullopt;
  return folder / *nearest;
}

}  // namespace

std::string nearest_file_hint(const std::string& path) {
  const fs::path asked(path);
  fs::path folder = asked.parent_path();
  std::error_code ignored;
  if (!folder.empty() && !fs::is_directory(folder, ignored)) {
    const auto nearest = nearest_entry(folder.parent_path(), folder.filename().string(), true);
    if (!nearest) return {};
    folder = *nearest;
  }
  const auto found = nearest_entry(folder, asked.filename().string(), false);
  return found ? "; did you mean '" + printable(found->string()) + "'?" : std::string();
}

}  // namespace carom
