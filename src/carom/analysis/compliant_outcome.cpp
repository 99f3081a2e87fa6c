#include "carom/analysis/compliant_outcome.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "carom/base/error.h"
#include "carom/engine/run.h"
#include "carom/engine/smooth/smooth_engine.h"
#include "carom/laws/impact/audit.h"

namespace carom {

namespace {

using Pair = std::pair<int, int>;

Pair in_order(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

/// Sums up the impulses of contacts that have ended.
class ImpulseBook final : public Observer {
 public:
  void sample(const State&, const EnergyBook&) override {}
  void event(const EventRecord& event) override {
    if (event.kind != EventKind::contact_end) return;
    for (const ContactRecord& contact : event.contacts) impulse[in_order(contact.a, contact.b)] += contact.impulse;
  }
  void progress(double, long) override {}

  std::map<Pair, double> impulse;
};

/// The two objects after which a contact is named; a name may have the dash in it that stands between the two.
std::optional<Pair> objects_of(const std::string& name, const std::unordered_map<std::string, int>& index) {
  for (std::size_t dash = name.find('-'); dash != std::string::npos; dash = name.find('-', dash + 1)) {
    const auto a = index.find(name.substr(0, dash));
    const auto b = index.find(name.substr(dash + 1));
    if (a != index.end() && b != index.end()) return in_order(a->second, b->second);
  }
  return std::nullopt;
}

std::vector<Pair> pairs_of(const Model& model, const ImpactProblem& problem) {
  std::unordered_map<std::string, int> index;
  for (int i = 0; i < model.object_count(); ++i) index.emplace(model.name(i), i);
  std::vector<Pair> pairs;
  for (const Contact& contact : problem.contacts) {
    if (const auto pair = objects_of(contact.name, index)) pairs.push_back(*pair);
  }
  return pairs;
}

bool is_smooth_ball(const Model& model, int body) {
  const Body& ball = model.bodies[body];
  return only_shape<Sphere>(ball.parts) != nullptr && ball.inertia.x() == ball.inertia.y() &&
         ball.inertia.y() == ball.inertia.z();
}

bool is_constrained(const Model& model, int body) {
  const auto holds = [body](const Constraint& constraint) {
    return std::visit([body](const auto& one) { return one.body == body; }, constraint);
  };
  return std::any_of(model.constraints.begin(), model.constraints.end(), holds);
}

/// The velocities of a state in the coordinates of the problem.
std::vector<double> coordinates(const Model& model, const State& state, const ImpactProblem& problem,
                                const std::vector<Pair>& pairs) {
  const bool rough = std::any_of(problem.contacts.begin(), problem.contacts.end(),
                                 [](const Contact& contact) { return contact.tangents.rows() > 0; });
  std::vector<int> bodies;
  for (const Pair& pair : pairs) {
    for (const int object : {pair.first, pair.second})
      if (model.is_body(object)) bodies.push_back(object);
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  std::vector<double> velocity;
  for (const int body : bodies) {
    const BodyState& motion = state.bodies[body];
    velocity.insert(velocity.end(), motion.velocity.begin(), motion.velocity.end());
    if (is_smooth_ball(model, body) && !rough && !is_constrained(model, body)) continue;
    const Eigen::Quaterniond principal = motion.orientation * model.bodies[body].principal_axes;
    const Eigen::Vector3d spin = principal.conjugate() * motion.angular_velocity;
    velocity.insert(velocity.end(), spin.begin(), spin.end());
  }
  return velocity;
}

bool rolls_on_a_driven_plane(const Model& model) {
  return std::any_of(model.constraints.begin(), model.constraints.end(), [&model](const Constraint& constraint) {
    const auto* const rolling = std::get_if<RollingConstraint>(&constraint);
    return rolling != nullptr && model.obstacles[rolling->plane].driven();
  });
}

/// Energy within the error of the integration is not created by anything.
Flags without_integration_error(const ImpactOutcome& outcome, double tolerance) {
  Flags flags;
  for (const Flag flag : all_flags()) {
    const bool by_error = flag == Flag::energy_created && outcome.energy.change <= tolerance * outcome.energy.before;
    if (outcome.audit.flags.has(flag) && !by_error) flags.set(flag);
  }
  return flags;
}

void audit(const ImpactProblem& problem, double tolerance, ImpactOutcome& outcome) {
  ContactSpace space;
  space.prepare(problem);
  LawScratch scratch;
  const LawRun run{.problem = problem, .space = space, .scratch = scratch};
  outcome.reference_speed = space.reference_speed() * space.speed_unit();
  std::vector<double> work(3 * static_cast<std::size_t>(space.dof()));
  audit_outcome(run, space, outcome, work.data());
  outcome.audit.flags = without_integration_error(outcome, tolerance);
}

}  // namespace

CompliantImpact compliant_outcome(const Model& model, const State& initial, const SmoothOptions& options,
                                  const ImpactProblem& problem) {
  if (rolls_on_a_driven_plane(model))
    return {{}, "a body rolls on a driven plane, whose motion its velocities leave out"};
  SmoothOptions until_apart = options;
  until_apart.stop_when_apart = true;
  ImpulseBook book;
  RunResult run;
  try {
    run = run_to_end(std::make_unique<SmoothEngine>(std::make_shared<const Model>(model), initial, until_apart), {},
                     &book);
  } catch (const InputError& error) {
    return {{}, error.what()};
  }
  if (run.stop == RunStop::failed) return {{}, run.failure ? run.failure->reason : "the integration failed"};
  if (run.stop != RunStop::apart) return {{}, "the contacts do not all open within the time of the scene"};
  const std::vector<Pair> pairs = pairs_of(model, problem);
  ImpactOutcome outcome;
  outcome.law = kCompliantOutcome;
  outcome.velocity = coordinates(model, run.final_state, problem, pairs);
  if (pairs.size() != problem.contacts.size() ||
      outcome.velocity.size() != static_cast<std::size_t>(problem.velocity.size())) {
    return {{}, "the first impact and the compliant run do not name the same bodies"};
  }
  for (const Pair& pair : pairs) {
    outcome.impulses.push_back(book.impulse[pair] / static_cast<double>(std::count(pairs.begin(), pairs.end(), pair)));
  }
  outcome.steps = static_cast<long>(run.steps_accepted);
  constexpr double kErrorOfARun = 1e3;  // relative to that of a step
  audit(problem, kErrorOfARun * options.rtol, outcome);
  return {std::move(outcome), {}};
}

}  // namespace carom
