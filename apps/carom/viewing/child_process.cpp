#include "viewing/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>

#include "carom/base/error.h"
#include "carom/base/utf8.h"

namespace carom::app {
namespace {

[[noreturn]] void fail(const std::string& program, int error) {
  throw InputError(
      Kind::file, "",
      fmt::format("cannot start '{}': {}", printable(program, 200), std::generic_category().message(error)));
}

/// Above the numbers that pipes have in a child, so that none is overwritten while they are laid.
Descriptor high(int number) {
  constexpr int kLowest = 16;
  Descriptor low(number);
  return Descriptor(::fcntl(number, F_DUPFD_CLOEXEC, kLowest));
}

struct PipeEnds {
  Descriptor reading, writing;
};

PipeEnds make_pipe(const std::string& program) {
  int numbers[2];
  if (::pipe2(numbers, O_CLOEXEC) != 0) fail(program, errno);
  PipeEnds ends{high(numbers[0]), high(numbers[1])};
  if (ends.reading.number() < 0 || ends.writing.number() < 0) fail(program, errno);
  return ends;
}

/// Settings of posix_spawn, given back at the end.
struct SpawnSettings {
  SpawnSettings() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &usual);
  }
  ~SpawnSettings() {
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

}  // namespace

std::optional<std::string> find_program(std::span<const std::string_view> names) {
  const char* const path = std::getenv("PATH");
  const std::string folders = path == nullptr ? "/usr/bin:/bin" : path;
  for (const std::string_view name : names) {
    for (std::size_t begin = 0; begin <= folders.size();) {
      const std::size_t end = std::min(folders.find(':', begin), folders.size());
      const std::string candidate = folders.substr(begin, end - begin) + "/" + std::string(name);
      if (end > begin && ::access(candidate.c_str(), X_OK) == 0) return candidate;
      begin = end + 1;
    }
  }
  return std::nullopt;
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    number_ = std::exchange(other.number_, -1);
  }
  return *this;
}

void Descriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

ChildProcess::ChildProcess(std::vector<std::string> words, std::span<const Pipe> pipes)
    : standard_error_(std::tmpfile()) {
  if (!standard_error_) fail(words[0], errno);
  SpawnSettings settings;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO}) {
    posix_spawn_file_actions_addopen(&settings.actions, stream, "/dev/null", O_RDWR, 0);
  }
  posix_spawn_file_actions_adddup2(&settings.actions, ::fileno(standard_error_.get()), STDERR_FILENO);
  std::vector<Descriptor> other_ends;
  for (const Pipe& pipe : pipes) {
    PipeEnds made = make_pipe(words[0]);
    other_ends.push_back(std::move(pipe.to_child ? made.reading : made.writing));
    ends_.push_back(std::move(pipe.to_child ? made.writing : made.reading));
    posix_spawn_file_actions_adddup2(&settings.actions, other_ends.back().number(), pipe.child_descriptor);
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int error =
      posix_spawnp(&id_, words[0].c_str(), &settings.actions, &settings.attributes, arguments.data(), environ);
  if (error != 0) {
    id_ = 0;
    fail(words[0], error);
  }
}

ChildProcess::~ChildProcess() {
  if (id_ == 0) return;
  ::kill(-id_, SIGKILL);
  ::waitpid(id_, nullptr, 0);
}

std::optional<int> ChildProcess::wait(std::chrono::milliseconds longest) {
  const auto deadline = std::chrono::steady_clock::now() + longest;
  while (id_ != 0) {
    int status = 0;
    const pid_t ended = ::waitpid(id_, &status, WNOHANG);
    if (ended == id_ || (ended < 0 && errno != EINTR)) {
      exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      id_ = 0;
    } else if (std::chrono::steady_clock::now() >= deadline) {
      return std::nullopt;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  return exit_code_;
}

std::string ChildProcess::complaint() const {
  constexpr long kMost = 400;
  std::FILE* const file = standard_error_.get();
  std::fseek(file, 0, SEEK_END);
  std::fseek(file, std::max(std::ftell(file) - kMost, 0L), SEEK_SET);
  std::string text(static_cast<std::size_t>(kMost), '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  for (char& letter : text) {
    if (letter == '\n') letter = ' ';
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return printable(text, static_cast<std::size_t>(kMost));
}

}  // namespace carom::app
