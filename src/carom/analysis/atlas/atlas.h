#pragma once
/// The impact atlas: a family of problems over two parameters, the outcome of several laws in every cell, and where
/// they disagree or jump.
///
/// A cell stands for the problem at its centre, x_j = x_low + (j + ½)(x_high − x_low)/columns. Outcomes are compared in
/// the kinetic norm relative to that of v⁻: with G = LLᵀ the vectors u = Lᵀv/‖v⁻‖_G have the Euclidean norm, and
///   energy        ‖u⁺‖² = T⁺/T⁻
///   turn          angle between u⁻ and u⁺
///   disagreement  largest ‖u⁺_a − u⁺_b‖ over two laws a, b that finished
///   jump          largest ‖u⁺ − u⁺ of a neighbour‖ over the four cells around: of the size of a cell where the outcome
///                 is smooth, and of order 1 where it jumps, however fine the map is
/// Where no contact approaches there is no impact and no value; an outcome that a law did not finish has no direction,
/// turn or energy.
///
/// Rows are shared out among threads. Every cell is computed for itself, so that the bits of a map do not depend on
/// their number.

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/analysis/atlas/family.h"
#include "carom/analysis/map.h"
#include "carom/laws/impact/impact_law.h"

namespace carom::atlas {

enum class Quantity {
  steps,         ///< impacts that the law computes
  direction,     ///< of v⁺ from the way out, −x, towards wall 2 [°]; `corner` and `approach` only
  turn,          ///< [°]
  energy,        ///< T⁺/T⁻
  stop,          ///< class: why the law stopped
  audit,         ///< class: in order, or the gravest fault the audit finds
  mode,          ///< class: what friction did: slides, sticks, reverses, jams
  solutions,     ///< class: how many outcomes the law allows
  zone,          ///< class: which contacts approach; the same for all laws
  disagreement,  ///< of all laws; one map
  jump,
};

std::vector<std::string_view> quantity_names();
std::string_view quantity_name(Quantity quantity);
/// The quantity of that name. Throws InputError (unknown_name).
Quantity quantity_from_name(std::string_view name);

inline constexpr std::size_t kMostCells = 16'000'000;

struct Request {
  std::vector<const ImpactLaw*> laws;
  Quantity quantity = Quantity::energy;
  std::size_t columns = 200, rows = 200;
  Range x, y;       ///< [rad for angles]; empty: those of the family
  int threads = 0;  ///< 0: one for each processor
};

struct Watch {
  std::function<void(double done, double all)> report;  ///< called by the calling thread
  const std::atomic<bool>* interrupted = nullptr;
};

struct LawMap {
  std::string law;  ///< empty: all of them
  Quantity quantity = Quantity::energy;
  Map map;
};

struct Atlas {
  std::vector<LawMap> maps;  ///< one for each law, then their disagreement where there are several
  bool complete = true;      ///< false: interrupted, and there are no maps
};

/// Throws InputError: `usage` for no laws or a quantity that the family does not have, `out_of_range` for the ranges
/// and the size, and what the problem of a cell throws.
Atlas make_atlas(const Family& family, const Request& request, const Watch& watch = {});

/// sin 2α = (1−ε)/(1+ε), where the eigenvalues of two successive impacts of the disk become complex: on its upper side
/// the disk leaves the corner whatever its velocity. α as the map of `corner` shows it, in degrees, over ε in [0, 1].
Curve exit_boundary();

}  // namespace carom::atlas
