#include "common/gnuplot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>

#include "carom/base/error.h"
#include "carom/base/utf8.h"
#include "carom/export/whole_file.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): not declared by every system

namespace carom::app {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void fail(const std::string& message) {
  throw InputError(Kind::file, Place{}, message);
}

/// A file without a name, at its beginning.
File temporary_file(const std::string& text) {
  File file(std::tmpfile());
  const bool good = file && std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
                    std::fflush(file.get()) == 0 && std::fseek(file.get(), 0, SEEK_SET) == 0;
  if (!good) fail("cannot keep data for gnuplot: " + std::generic_category().message(errno));
  return file;
}

std::string beginning(std::FILE* file) {
  std::fseek(file, 0, SEEK_SET);
  std::string text(400, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  return printable(text, 300);
}

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  void use(int source, int target) { posix_spawn_file_actions_adddup2(&actions_, source, target); }
  void open(int target, const std::string& path) {
    posix_spawn_file_actions_addopen(&actions_, target, path.c_str(), O_WRONLY | O_TRUNC, 0);
  }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

void run_gnuplot(const std::string& script, const std::string& output) {
  const File input = temporary_file(script);
  const File messages = temporary_file("");
  FileActions actions;
  actions.use(fileno(input.get()), 0);
  actions.open(1, output);
  actions.use(fileno(messages.get()), 2);
  std::string program = "gnuplot", defaults = "-d", from_input = "-";
  char* const words[] = {program.data(), defaults.data(), from_input.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, "gnuplot", actions.get(), nullptr, words, environ);
  if (error == ENOENT) {
    fail("gnuplot is not installed, and pictures are drawn by it (Debian, Ubuntu: package gnuplot-nox)");
  }
  if (error != 0) fail("cannot start gnuplot: " + std::generic_category().message(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail("gnuplot failed: " + beginning(messages.get()));
}

/// gnuplot does not say so where it could not write everything.
bool is_whole(const std::string& path, PictureFormat format) {
  constexpr std::streamoff kTail = 64;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file.tellg();
  if (!file || size <= 0) return false;
  file.seekg(std::max(size - kTail, std::streamoff{0}));
  const std::string tail((std::istreambuf_iterator<char>(file)), {});
  constexpr const char* kEnds[] = {"</svg>", "IEND", "%%EOF"};
  return tail.find(kEnds[static_cast<int>(format)]) != std::string::npos;
}

/// Images in an SVG are cells of a map, which browsers would blur into each other where they enlarge them.
void keep_cells_sharp(const std::string& path) {
  constexpr std::string_view kImage = "<image ";
  std::ifstream before(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(before)), {});
  std::size_t at = text.find(kImage);
  if (at == std::string::npos) return;
  for (; at != std::string::npos; at = text.find(kImage, at + 1)) {
    text.insert(at + kImage.size(), "style='image-rendering:pixelated' ");
  }
  std::ofstream after(path, std::ios::binary | std::ios::trunc);
  after.write(text.data(), static_cast<std::streamsize>(text.size()));
  after.close();
  if (!after) fail("cannot write '" + path + "': " + std::generic_category().message(errno));
}

}  // namespace

PictureFormat picture_format(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".svg") return PictureFormat::svg;
  if (ending == ".png") return PictureFormat::png;
  if (ending == ".pdf") return PictureFormat::pdf;
  throw InputError(Kind::usage, "--out",
                   fmt::format("'{}' is no name for a picture, expected .svg, .png or .pdf", printable(path)));
}

void draw(const Picture& picture, const std::string& path) {
  draw_script(gnuplot_script(picture, picture_format(path)), path);
}

void draw_script(const std::string& script, const std::string& path) {
  const PictureFormat format = picture_format(path);
  WholeFile file(path);
  run_gnuplot(script, file.part_path());
  if (!is_whole(file.part_path(), format)) {
    Place place;
    place.file = path;
    throw InputError(Kind::file, place,
                     fmt::format("cannot write '{}': gnuplot could not write all of it; is there room on the disk?",
                                 printable(path, 200)));
  }
  if (format == PictureFormat::svg) keep_cells_sharp(file.part_path());
  file.keep();
}

}  // namespace carom::app
