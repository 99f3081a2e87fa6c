/// Corner problems per second: one at a time, and in batches on every instruction set this processor has. The results
/// of the batches are compared bit by bit with those of the scalar algorithm. Times are CPU times, the best of several
/// repeats; all candidates take turns, so that a noisy machine is unfair to all of them alike.
///
/// Where CAROM_BASELINES names a folder with a built prototype `corner_batch`, it runs between the turns on the same
/// three sets of problems, and the ratio of ours to the best of its figures is printed.

#include <time.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "carom/laws/corner/batch.h"
#include "carom/laws/corner/iteration.h"

#include "report.h"

namespace {

using namespace carom::corner;

constexpr int kSets = 4;
constexpr int kRounds = 3;
constexpr std::array<const char*, kSets> kNames{"elastic", "mixed restitution", "narrow, e = 0.75", "everything"};

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct ProblemSet {
  std::vector<double> restitution, slope, x, y;
};

/// Sets 0 to 2 are those of the prototype, number by number. Set 3 has all angles, restitutions and directions, speeds
/// over eight decades.
ProblemSet make_set(int set, int size) {
  constexpr double pi = std::numbers::pi;
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  ProblemSet p;
  for (int i = 0; i < size; ++i) {
    double e = 1.0;
    if (set == 1) e = 0.5 + 0.5 * uniform(engine);
    if (set == 2) e = 0.75;
    if (set == 3) e = uniform(engine);
    double alpha = pi / 64;
    if (set < 2) alpha = pi / 32 + uniform(engine) * (pi / 4 - pi / 32);
    if (set == 3) alpha = 0.02 + 1.53 * uniform(engine);
    const double phi = (uniform(engine) - 0.5) * (set == 3 ? 2 * pi : pi);
    const double speed = set == 3 ? std::pow(10.0, 8.0 * (uniform(engine) - 0.5)) : 1.0;
    p.restitution.push_back(e);
    p.slope.push_back(std::tan(alpha));
    p.x.push_back(speed * std::cos(phi));
    p.y.push_back(speed * std::sin(phi));
  }
  return p;
}

struct Results {
  explicit Results(std::size_t size) : x(size), y(size), steps(size), stop(size) {}
  std::vector<double> x, y;
  std::vector<std::int32_t> steps;
  std::vector<Stop> stop;
};

void solve_singly(const ProblemSet& p, Results& r) {
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    const SlopeOutcome out = iterate({p.slope[i], p.restitution[i], {p.x[i], p.y[i]}, {}});
    r.x[i] = out.velocity.x;
    r.y[i] = out.velocity.y;
    r.steps[i] = static_cast<std::int32_t>(out.steps);
    r.stop[i] = out.stop;
  }
}

std::size_t count_differences(const Results& a, const Results& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) {
    const bool same = std::bit_cast<std::uint64_t>(a.x[i]) == std::bit_cast<std::uint64_t>(b.x[i]) &&
                      std::bit_cast<std::uint64_t>(a.y[i]) == std::bit_cast<std::uint64_t>(b.y[i]) &&
                      a.steps[i] == b.steps[i] && a.stop[i] == b.stop[i];
    count += same ? 0 : 1;
  }
  return count;
}

/// The best figure of the prototype for each of its sets, in millions per second; left alone where it cannot be run.
void run_prototype(const std::string& folder, std::array<double, kSets>& best) {
  FILE* pipe = popen(("'" + folder + "/corner_batch'").c_str(), "r");
  if (pipe == nullptr) return;
  std::array<char, 1024> line{};
  while (std::fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr) {
    const std::string text = line.data();
    const std::size_t set = text.find("cfg");
    if (set == std::string::npos) continue;
    const int index = text[set + 3] - '0';
    if (index < 0 || index >= kSets) continue;
    for (const char* figure : {"G1 ", "G2 ", "G4 "}) {
      const std::size_t at = text.find(figure);
      if (at == std::string::npos) continue;
      best[static_cast<std::size_t>(index)] =
          std::max(best[static_cast<std::size_t>(index)], std::strtod(text.c_str() + at + 3, nullptr));
    }
  }
  pclose(pipe);
}

}  // namespace

int main(int count, char** words) {
  carom::bench::begin("corner", count, words);
  constexpr int size = 1 << 18;
  const std::array<Path, 3> paths{Path::portable, Path::avx2, Path::avx512};
  std::array<std::array<double, 3>, kSets> best{};
  std::array<double, kSets> single{};
  std::array<double, kSets> prototype{};
  std::size_t differences = 0;
  std::vector<ProblemSet> sets;
  for (int set = 0; set < kSets; ++set) sets.push_back(make_set(set, size));
  std::vector<Results> expected(kSets, Results(size));
  Results results(size);

  const char* folder = std::getenv("CAROM_BASELINES");
  for (int round = 0; round < carom::bench::rounds(kRounds); ++round) {
    if (folder != nullptr) run_prototype(folder, prototype);
    for (std::size_t set = 0; set < kSets; ++set) {
      const ProblemSet& p = sets[set];
      double start = cpu_seconds();
      solve_singly(p, expected[set]);
      single[set] = std::max(single[set], size / (cpu_seconds() - start) * 1e-6);
      for (std::size_t path = 0; path < paths.size(); ++path) {
        if (!available(paths[path])) continue;
        const int repeats = paths[path] == Path::portable ? 1 : set < 2 ? 20 : 3;
        for (int i = 0; i < repeats; ++i) {
          start = cpu_seconds();
          solve_batch({p.restitution, p.slope, p.x, p.y}, {results.x, results.y, results.steps, results.stop}, {},
                      paths[path]);
          best[set][path] = std::max(best[set][path], size / (cpu_seconds() - start) * 1e-6);
        }
        differences += count_differences(results, expected[set]);
      }
    }
  }

  std::printf("corner problems per second, in millions (%d problems)\n", size);
  std::printf("%-18s %10s %10s %10s %10s %10s %10s %8s\n", "set", "mean steps", "single", "portable", "avx2", "avx512",
              "prototype", "ratio");
  for (std::size_t set = 0; set < kSets; ++set) {
    double steps = 0.0;
    for (const std::int32_t n : expected[set].steps) steps += n;
    std::printf("%-18s %10.2f %10.2f", kNames[set], steps / size, single[set]);
    for (std::size_t path = 0; path < paths.size(); ++path) {
      if (available(paths[path])) {
        std::printf(" %10.2f", best[set][path]);
      } else {
        std::printf(" %10s", "-");
      }
    }
    const double ours = *std::max_element(best[set].begin(), best[set].end());
    carom::bench::tell({std::string(kNames[set]) + ", in batches", ours, "million/s", carom::bench::Better::more,
                        prototype[set] > 0.0 ? "prototype" : "", prototype[set]});
    carom::bench::tell(
        {std::string(kNames[set]) + ", one at a time", single[set], "million/s", carom::bench::Better::more});
    if (prototype[set] > 0.0) {
      std::printf(" %10.2f %8.2f\n", prototype[set], ours / prototype[set]);
    } else {
      std::printf(" %10s %8s\n", "-", "-");
    }
  }
  std::printf("results that differ from the scalar algorithm in any bit: %zu\n", differences);
  if (differences > 0)
    carom::bench::tell_failure("batches", std::to_string(differences) + " results differ from the scalar algorithm");
  return carom::bench::exit_code(differences > 0);
}
