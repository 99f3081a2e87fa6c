#pragma once
/// Another program, with pipes to and from it. No shell has a hand in it.

#include <sys/types.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carom::app {

/// The first of these programs that PATH leads to; none where there is none of them.
std::optional<std::string> find_program(std::span<const std::string_view> names);

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { close(); }

  [[nodiscard]] int number() const { return number_; }
  void close();

 private:
  int number_ = -1;
};

class ChildProcess {
 public:
  struct Pipe {
    int child_descriptor;  ///< its number in the other program
    bool to_child;
  };

  /// Starts `words[0]`. What is not piped is /dev/null, but for standard error, which is kept (complaint()). The
  /// program is in a process group of its own, so that Ctrl-C reaches this one only. Throws InputError (file).
  ChildProcess(std::vector<std::string> words, std::span<const Pipe> pipes);
  /// Kills it where it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Our end of a pipe, in the order in which they were given.
  [[nodiscard]] Descriptor& end_of(std::size_t pipe) { return ends_[pipe]; }

  /// Waits until it has ended, at most so long: its exit code, 128 + signal, or none.
  std::optional<int> wait(std::chrono::milliseconds longest);

  /// The end of what it wrote to standard error, on one line.
  [[nodiscard]] std::string complaint() const;

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  pid_t id_ = 0;  ///< 0 once it has been waited for
  std::optional<int> exit_code_;
  std::vector<Descriptor> ends_;
  std::unique_ptr<std::FILE, CloseFile> standard_error_;
};

}  // namespace carom::app
