#pragma once
/// A file that appears under its name when it is whole, and not before: it is written beside it under another name,
/// which then takes its place. Whatever goes wrong in between (a full disk, an exception) leaves the old file as it was
/// and removes the new one. A process that is killed may leave `NAME.<number>.part` behind. What is no ordinary file (a
/// pipe, a terminal) is written to at once, and behind a link the file that it names.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace carom {

class WholeFile {
 public:
  /// Throws InputError (file): "cannot write 'path': …". So do write and keep.
  explicit WholeFile(std::string path);
  WholeFile(WholeFile&& other) noexcept = default;
  WholeFile& operator=(WholeFile&&) = delete;
  /// Removes what was not kept.
  ~WholeFile();

  void write(std::string_view bytes);

  /// Where the bytes go until then, for another program to write there.
  [[nodiscard]] const std::string& part_path() const { return part_.empty() ? target_ : part_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint64_t bytes_written() const { return bytes_; }

  /// Everything is written: the file takes its place.
  void keep();

 private:
  [[noreturn]] void fail(int error) const;

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::string target_;  ///< what is replaced: the path, or where its link leads
  std::string part_;    ///< empty once kept or moved from, or where the target is written to at once
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t bytes_ = 0;
};

}  // namespace carom
