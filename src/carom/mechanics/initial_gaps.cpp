#include "carom/mechanics/initial_gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/error.h"
#include "carom/mechanics/joint_start.h"
#include "carom/mechanics/meeting.h"
#include "carom/mechanics/near_pairs.h"

namespace carom {

namespace {

using Eigen::Vector3d;

/// After so many overlaps the search ends: that there are some is known, and a heap of bodies costs no more time.
constexpr std::size_t kEnoughOverlaps = 100;

std::string path_of(const Model& model, int body) {
  const std::string& name = model.name(body);
  return name.empty() ? fmt::format("body.{}", body) : "body." + name;
}

/// `body 'egg'`, `plane 'floor'`, `obstacle 'ring'`.
std::string title_of(const Model& model, int object) {
  const char* what = "body";
  if (!model.is_body(object)) what = is_plane(model.parts(object)) ? "plane" : "obstacle";
  return fmt::format("{} '{}'", what, model.name(object));
}

Pose pose_of(const Model& model, const State& state, int object) {
  return model.is_body(object) ? state.bodies[static_cast<std::size_t>(object)].pose()
                               : model.obstacle(object).pose_at(state.time);
}

InitialGap gap_of(const Model& model, const State& state, int a, int b) {
  const PartProximity found =
      nearest_parts(model.parts(a), pose_of(model, state, a), model.parts(b), pose_of(model, state, b));
  return {a, b, found.nearest, found.part_a, found.part_b};
}

bool has_distance(const Model& model, int a, int b) {
  return can_meet(model.parts(a), model.parts(b));
}

/// A ring meets what runs inside it and nothing else.
bool is_ring(const Model& model, int object) {
  return model.is_body(object) && only_shape<Bore>(model.parts(object)) != nullptr;
}

void require_pair(const Model& model, int a, int b) {
  if (has_distance(model, a, b) || is_ring(model, a) || is_ring(model, b)) return;
  const std::string field = path_of(model, model.is_body(b) ? b : a) + ".shape";
  throw InputError{
      Kind::unsupported, field,
      fmt::format("{} (a {}) and {} (a {}) cannot meet: the distance of this pair of shapes is not known",
                  title_of(model, a), shape_name(model.parts(a)), title_of(model, b), shape_name(model.parts(b)))};
}

/// Looks through the pairs whose bounding balls meet and keeps the overlaps.
class OverlapSearch {
 public:
  OverlapSearch(const Model& model, const State& state, double tolerance)
      : model_(model),
        meeting_(model),
        state_(state),
        tolerance_(tolerance),
        radius_(static_cast<std::size_t>(model.object_count())) {
    for (int i = 0; i < model.object_count(); ++i)
      radius_[static_cast<std::size_t>(i)] = bounding_radius(model.parts(i));
  }

  /// In the order of initial_gaps.
  std::vector<InitialGap> all() {
    look_at_obstacles();
    look_at_bodies();
    std::sort(found_.begin(), found_.end(), [](const InitialGap& first, const InitialGap& second) {
      return std::pair(first.a, first.b) < std::pair(second.a, second.b);
    });
    return found_;
  }

 private:
  void look_at_obstacles() {
    for (int b = model_.body_count(); b < model_.object_count(); ++b) {
      const Vector3d centre = pose_of(model_, state_, b).position;
      for (int a = 0; a < model_.body_count() && found_.size() < kEnoughOverlaps; ++a) look_at(a, b, centre);
    }
  }

  void look_at_bodies() {
    std::vector<Vector3d> centres;
    centres.reserve(state_.bodies.size());
    for (const BodyState& body : state_.bodies) centres.push_back(body.position);
    const std::span<const double> radii(radius_.data(), centres.size());
    NearPairs(centres, radii).visit([this](int a, int b) {
      look_at(a, b, position(b));
      return found_.size() < kEnoughOverlaps;
    });
  }

  void look_at(int a, int b, const Vector3d& centre_of_b) {
    const double reach = radius(a) + radius(b);
    if (std::isfinite(reach) && (position(a) - centre_of_b).squaredNorm() > reach * reach) return;
    if (!meeting_.may_meet(a, b) || !has_distance(model_, a, b) || is_switched(a, b)) return;
    const InitialGap gap = gap_of(model_, state_, a, b);
    if (gap.nearest.distance >= -tolerance_ * std::min(radius(a), radius(b))) return;
    found_.push_back(gap);
  }

  [[nodiscard]] double radius(int object) const { return radius_[static_cast<std::size_t>(object)]; }
  [[nodiscard]] const Vector3d& position(int body) const {
    return state_.bodies[static_cast<std::size_t>(body)].position;
  }

  /// Contacts that may be off now; they begin when the two are apart.
  [[nodiscard]] bool is_switched(int a, int b) const {
    return std::any_of(model_.switches.begin(), model_.switches.end(),
                       [&](const ContactSwitch& each) { return each.is_of(a, b); });
  }

  const Model& model_;
  MeetingRules meeting_;
  const State& state_;
  double tolerance_;
  std::vector<double> radius_;
  std::vector<InitialGap> found_;
};

InputError overlap_error(const Model& model, const State& state, const InitialGap& gap) {
  const std::string field = path_of(model, model.is_body(gap.b) ? gap.b : gap.a) + ".position";
  const double depth = -gap.nearest.distance;
  const Vector3d& point = gap.nearest.point_a;
  const std::string place = fmt::format("at ({}, {}, {})", point.x(), point.y(), point.z());
  std::string message;
  if (!model.is_body(gap.b) && is_plane(model.parts(gap.b))) {
    const Pose plane = pose_of(model, state, gap.b);
    const Vector3d& centre = state.bodies[static_cast<std::size_t>(gap.a)].position;
    const bool wholly = plane.to_local(centre).z() <= 0.0;
    message = fmt::format("{} lies {}behind the {} by {} m, deepest {}", title_of(model, gap.a),
                          wholly ? "" : "partly ", title_of(model, gap.b), depth, place);
  } else {
    message = fmt::format("{} and {} overlap by {} m {}", title_of(model, gap.a), title_of(model, gap.b), depth, place);
  }
  return {Kind::overlap, field, message};
}

}  // namespace

void require_supported_pairs(const Model& model) {
  if (const MeetingRules meeting(model); !meeting.all_meet()) {
    for (int a = 0; a < model.body_count(); ++a)
      for (int b = a + 1; b < model.object_count(); ++b)
        if (meeting.may_meet(a, b)) require_pair(model, a, b);
    return;
  }
  // The first two bodies with a part of each kind and the first such obstacle stand for all.
  std::array<std::array<int, 2>, kShapeKinds> bodies{};
  std::array<int, kShapeKinds> obstacles{};
  for (auto& two : bodies) two = {kNone, kNone};
  obstacles.fill(kNone);
  for (int i = 0; i < model.object_count(); ++i) {
    for (const Part& part : model.parts(i)) {
      const auto kind = static_cast<std::size_t>(shape_kind(part.shape));
      int& first = model.is_body(i) ? bodies[kind][0] : obstacles[kind];
      if (first == kNone) {
        first = i;
      } else if (model.is_body(i) && first != i && bodies[kind][1] == kNone) {
        bodies[kind][1] = i;
      }
    }
  }
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    if (bodies[k][0] == kNone) continue;
    if (bodies[k][1] != kNone) require_pair(model, bodies[k][0], bodies[k][1]);
    for (std::size_t other = 0; other < bodies.size(); ++other) {
      const int body = bodies[other][0] == bodies[k][0] ? bodies[other][1] : bodies[other][0];
      if (other > k && body != kNone) require_pair(model, std::min(bodies[k][0], body), std::max(bodies[k][0], body));
      if (obstacles[other] != kNone) require_pair(model, bodies[k][0], obstacles[other]);
    }
  }
}

std::vector<InitialGap> initial_gaps(const Model& model, const State& state) {
  require_supported_pairs(model);
  const MeetingRules meeting(model);
  std::vector<InitialGap> gaps;
  for (int a = 0; a < model.body_count(); ++a) {
    for (int b = a + 1; b < model.object_count(); ++b)
      if (meeting.may_meet(a, b) && has_distance(model, a, b)) gaps.push_back(gap_of(model, state, a, b));
  }
  return gaps;
}

void require_no_overlap(const Model& model, const State& state, double tolerance) {
  const std::vector<InputError> found = overlaps(model, state, tolerance);
  if (!found.empty()) throw InputError(found.front());
}

std::vector<InputError> overlaps(const Model& model, const State& state, double tolerance) {
  require_supported_pairs(model);
  std::vector<InputError> found;
  for (const InitialGap& gap : OverlapSearch(model, state, tolerance).all())
    found.push_back(overlap_error(model, state, gap));
  const std::vector<InputError> passed = limits_passed(model, state, tolerance);
  found.insert(found.end(), passed.begin(), passed.end());
  return found;
}

}  // namespace carom
