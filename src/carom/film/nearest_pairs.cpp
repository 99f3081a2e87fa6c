#include "carom/film/nearest_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>

#include "carom/mechanics/meeting.h"

namespace carom {
namespace {

Pose pose_of(const Model& model, const State& state, int object) {
  return model.is_body(object) ? state.bodies[object].pose() : model.obstacle(object).pose_at(state.time);
}

struct Candidate {
  double distance;
  ObjectPair pair;

  bool operator<(const Candidate& other) const {
    return std::tie(distance, pair.a, pair.b) < std::tie(other.distance, other.pair.a, other.pair.b);
  }
};

class PairSearch {
 public:
  PairSearch(const Model& model, const State& state, std::size_t most)
      : model_(model), meeting_(model), state_(state), most_(most) {
    radius_.reserve(model.bodies.size());
    for (const Body& body : model.bodies) radius_.push_back(bounding_radius(body.parts));
  }

  std::vector<ObjectPair> run() {
    for (int body = 0; body < model_.body_count(); ++body) {
      for (int obstacle = model_.body_count(); obstacle < model_.object_count(); ++obstacle) look_at(body, obstacle);
    }
    look_at_bodies();
    std::vector<ObjectPair> pairs;
    for (; !nearest_.empty(); nearest_.pop()) pairs.push_back(nearest_.top().pair);
    std::sort(pairs.begin(), pairs.end(),
              [](const ObjectPair& p, const ObjectPair& q) { return std::tie(p.a, p.b) < std::tie(q.a, q.b); });
    return pairs;
  }

 private:
  void look_at_bodies() {
    std::vector<int> order(model_.bodies.size());
    std::iota(order.begin(), order.end(), 0);
    const auto begin = [this](int body) { return position(body).x() - radius(body); };
    std::sort(order.begin(), order.end(), [&begin](int i, int j) { return begin(i) < begin(j); });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const double end = position(order[i]).x() + radius(order[i]);
      for (std::size_t j = i + 1; j < order.size() && begin(order[j]) - end <= farthest(); ++j) {
        const double reach = radius(order[i]) + radius(order[j]) + farthest();
        if (reach < 0.0 || (position(order[i]) - position(order[j])).squaredNorm() > reach * reach) continue;
        look_at(std::min(order[i], order[j]), std::max(order[i], order[j]));
      }
    }
  }

  void look_at(int a, int b) {
    if (!meeting_.may_meet(a, b) || !can_meet(model_.parts(a), model_.parts(b))) return;
    const double distance = gap(model_, state_, {a, b});
    if (std::isnan(distance)) return;
    nearest_.push({distance, {a, b}});
    if (nearest_.size() > most_) nearest_.pop();
  }

  /// The largest distance among those kept, beyond which no pair is of interest.
  [[nodiscard]] double farthest() const {
    return nearest_.size() < most_ ? std::numeric_limits<double>::infinity() : nearest_.top().distance;
  }
  [[nodiscard]] double radius(int body) const { return radius_[body]; }
  [[nodiscard]] const Eigen::Vector3d& position(int body) const { return state_.bodies[body].position; }

  const Model& model_;
  MeetingRules meeting_;
  const State& state_;
  std::size_t most_;
  std::vector<double> radius_;
  std::priority_queue<Candidate> nearest_;
};

}  // namespace

std::vector<ObjectPair> nearest_pairs(const Model& model, const State& state, std::size_t most) {
  return PairSearch(model, state, most).run();
}

double gap(const Model& model, const State& state, const ObjectPair& pair) {
  const Pose a = pose_of(model, state, pair.a);
  const Pose b = pose_of(model, state, pair.b);
  if (!a.position.allFinite() || !b.position.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  return proximity(model.parts(pair.a), a, model.parts(pair.b), b).distance;
}

}  // namespace carom
