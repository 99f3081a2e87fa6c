/// Wall time of maps of the atlas: the corner under its own rule in 1000×1000 cells, on one thread and on all, and
/// every other law in fewer cells. Best of three.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "carom/analysis/atlas/atlas.h"
#include "carom/laws/impact/registry.h"

#include "report.h"

namespace {

using namespace carom;

double best_time(const atlas::Family& family, const atlas::Request& request) {
  double best = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < bench::rounds(3); ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    const atlas::Atlas made = atlas::make_atlas(family, request);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (made.complete) best = std::min(best, elapsed.count());
  }
  return best;
}

void print(const atlas::Family& family, const atlas::Request& request) {
  const double time = best_time(family, request);
  const auto cells = static_cast<double>(request.columns * request.rows);
  fmt::print("{:10} {:14} {:5}x{:<5} {:2} threads {:8.3f} s {:10.3f} million cells/s\n", family.name,
             request.laws.front()->name, request.columns, request.rows, request.threads, time, 1e-6 * cells / time);
  bench::tell(fmt::format("{}, {}, {} cells, {} threads", family.name, request.laws.front()->name,
                          request.columns * request.rows, request.threads),
              1e-6 * cells / time, "million cells/s of wall time", bench::Better::more);
}

}  // namespace

int main(int count, char** words) {
  bench::begin("atlas", count, words);
  const int all = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const atlas::Family corner = atlas::corner_family({});
  for (const int threads : {1, all}) {
    print(corner, {.laws = {&kGeometricLaw},
                   .quantity = atlas::Quantity::steps,
                   .columns = 1000,
                   .rows = 1000,
                   .x = {},
                   .y = {},
                   .threads = threads});
  }
  for (const atlas::Family& family : {corner, atlas::ellipsoid_family(3)}) {
    for (const ImpactLaw* law : impact_laws()) {
      if (law->needs.single_contact) continue;
      const std::size_t side = law == &kCompliantLaw ? 40 : 200;  // it integrates, a millisecond a cell
      print(family, {.laws = {law},
                     .quantity = atlas::Quantity::energy,
                     .columns = side,
                     .rows = side,
                     .x = {},
                     .y = {},
                     .threads = all});
    }
  }
  return 0;
}
