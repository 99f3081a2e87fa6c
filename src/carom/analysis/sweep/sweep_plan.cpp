#include "carom/analysis/sweep/sweep_plan.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "carom/base/error.h"
#include "carom/base/random.h"
#include "carom/base/utf8.h"

namespace carom::sweep {
namespace {

/// Numbers that depend on all bits of two others.
std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  Random random(a);
  Random second(random.bits() ^ b);
  return second.bits();
}

void require_counts(const PlanRequest& request) {
  for (const Variation& variation : request.variations) {
    if (variation.count > 0) continue;
    throw InputError(Kind::usage, "--vary",
                     fmt::format("'{}' does not say how many values there are: lin(a,b,n) or log(a,b,n); only with "
                                 "--random or --latin it need not",
                                 printable(variation.text)));
  }
}

std::size_t zipped_size(const PlanRequest& request) {
  const Variation& first = request.variations.front();
  for (const Variation& variation : request.variations) {
    if (variation.count == first.count) continue;
    throw InputError(Kind::size_mismatch, "--zip",
                     fmt::format("with --zip all variations need the same number of values: '{}' has {}, '{}' has {}",
                                 printable(first.path), first.count, printable(variation.path), variation.count));
  }
  return first.count;
}

void require_few(double points, const std::string& how) {
  if (points <= kMostPoints) return;
  throw InputError(
      Kind::limit, "--vary",
      fmt::format("the sweep has {:.6g} points ({}), more than {:.0f}; take fewer values, or --random N or "
                  "--latin N",
                  points, how, kMostPoints));
}

std::size_t grid_size(const PlanRequest& request) {
  double points = 1.0;
  std::string product;
  for (const Variation& variation : request.variations) {
    points *= static_cast<double>(variation.count);
    product += fmt::format("{}{}", product.empty() ? "" : " × ", variation.count);
  }
  require_few(points, product);
  return static_cast<std::size_t>(points);
}

void require_different_paths(const PlanRequest& request) {
  const auto& all = request.variations;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (all[i].path != all[j].path) continue;
      throw InputError(Kind::duplicate_name, "--vary", fmt::format("'{}' is varied twice", printable(all[i].path)));
    }
  }
}

}  // namespace

std::size_t permuted(std::size_t index, std::size_t size, std::uint64_t key) {
  if (size <= 1) return index;
  const auto half = (std::bit_width(size - 1) + 1) / 2;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  std::uint64_t value = index;
  do {
    std::uint64_t left = value >> half, right = value & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t next = left ^ (mixed(key + round, right) & mask);
      left = right;
      right = next;
    }
    value = (left << half) | right;
  } while (value >= size);
  return value;
}

SweepPlan::SweepPlan(PlanRequest request) : request_(std::move(request)) {
  if (request_.variations.empty()) {
    throw InputError(Kind::usage, "--vary",
                     "nothing is varied; expected --vary PATH=lin(a,b,n), log(a,b,n) or v1,v2,…");
  }
  require_different_paths(request_);
  const bool drawn = request_.design == Design::random || request_.design == Design::latin;
  if (drawn) {
    require_few(static_cast<double>(request_.count), request_.design == Design::random ? "--random" : "--latin");
    size_ = request_.count;
    return;
  }
  require_counts(request_);
  size_ = request_.design == Design::zip ? zipped_size(request_) : grid_size(request_);
  require_few(static_cast<double>(size_), "--zip");
}

double SweepPlan::share(std::size_t point, std::size_t v) const {
  const std::uint64_t key = mixed(request_.seed, v + 1);
  Random random(mixed(key, point));
  const double inside = random.uniform();
  if (request_.design == Design::random) return inside;
  const auto part = static_cast<double>(permuted(point, size_, key));
  const double share = (part + inside) / static_cast<double>(size_);
  return share < 1.0 ? share : std::nextafter(1.0, 0.0);
}

Value SweepPlan::value(std::size_t point, std::size_t v) const {
  const Variation& variation = request_.variations[v];
  switch (request_.design) {
    case Design::zip: return variation.at(point);
    case Design::random:
    case Design::latin: return variation.between(share(point, v));
    case Design::grid: break;
  }
  std::size_t rest = point;
  for (std::size_t later = request_.variations.size(); later > v + 1; --later) {
    rest /= request_.variations[later - 1].count;
  }
  return variation.at(rest % variation.count);
}

}  // namespace carom::sweep
