#pragma once
/// How a benchmark tells its figures to `carom bench`.
///
/// A benchmark prints for people. With the word `--report` its standard output carries lines of JSON instead, one for
/// each figure: benchmark, figure, value, unit, better ("more" or "less") and, where it is compared, compared_with,
/// reference (in the same unit) and ratio, which is above 1 where ours is the better one. With `--quick` it measures
/// less. docs/performance.md

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "carom/base/json.h"

namespace carom::bench {

enum class Better { more, less };

struct Figure {
  std::string name;  ///< the only one of this name in its benchmark, the same in every run
  double value = 0.0;
  std::string_view unit{};
  Better better = Better::less;
  std::string_view compared_with{};  ///< the bar, another program; empty where there is none
  double reference = 0.0;            ///< its value, in the same unit
};

/// What the command line asked for; one for the whole program.
struct Request {
  const char* benchmark = "";
  std::FILE* lines = nullptr;  ///< where figures go; none where people read
  bool quick = false;
};

inline Request& request() {
  static Request the_only;
  return the_only;
}

/// Takes `--report` and `--quick` out of the words of the command line.
inline void begin(const char* benchmark, int& count, char** words) {
  request().benchmark = benchmark;
  int kept = 1;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--quick") {
      request().quick = true;
    } else if (word == "--report") {
      request().lines = ::fdopen(::dup(STDOUT_FILENO), "w");
      if (request().lines == nullptr || std::freopen("/dev/null", "w", stdout) == nullptr) std::exit(2);
    } else {
      words[kept++] = words[i];
    }
  }
  count = kept;
}

inline bool quick() {
  return request().quick;
}

/// How often to measure what is usually measured so often.
inline int rounds(int usual) {
  return quick() ? std::max(1, usual / 5) : usual;
}

inline void write_line(const Json& line) {
  if (request().lines == nullptr) return;
  std::fprintf(request().lines, "%s\n", line.dump().c_str());
  std::fflush(request().lines);
}

inline void tell(const Figure& figure) {
  Json line{{"benchmark", request().benchmark},
            {"figure", figure.name},
            {"value", figure.value},
            {"unit", figure.unit},
            {"better", figure.better == Better::more ? "more" : "less"}};
  if (!figure.compared_with.empty()) {
    line["compared_with"] = figure.compared_with;
    line["reference"] = figure.reference;
    line["ratio"] = figure.better == Better::more ? figure.value / figure.reference : figure.reference / figure.value;
  }
  write_line(line);
}

/// A figure beside the bar that the project has set itself, zero where there is none.
inline void tell(const std::string& name, double value, std::string_view unit, Better better, double bar = 0.0) {
  tell({name, value, unit, better, bar > 0.0 ? "bar" : "", bar});
}

/// A figure that could not be had.
inline void tell_failure(const std::string& name, const std::string& reason) {
  write_line({{"benchmark", request().benchmark}, {"figure", name}, {"failed", reason}});
}

/// Whether a bar was missed is for people the exit code, and for `carom bench` in the lines.
inline int exit_code(bool missed) {
  return missed && request().lines == nullptr ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace carom::bench
