#include "carom/simulation/run_summary.h"

#include <algorithm>
#include <cmath>

#include "carom/laws/impact/registry.h"

namespace carom {
namespace {

Json vector_json(const Eigen::Vector3d& vector) {
  return json_numbers(std::span<const double>(vector.data(), 3));
}

Json failure_json(const RunSummary& summary) {
  const std::optional<Failure>& failure = summary.result.failure;
  if (!failure) return {};
  Json bodies = Json::array();
  for (const BodyIndex body : failure->bodies) bodies.push_back(summary.model->name(body));
  return {{"reason", failure->reason},
          {"time", json_number(failure->time)},
          {"bodies", std::move(bodies)},
          {"joints", summary.failed_joints()}};
}

Json compliant_json(const RunSummary& summary) {
  const CompliantReport& report = *summary.result.compliant;
  Json swallowed = Json::array();
  for (const CompliantReport::Swallowed& one : report.swallowed)
    swallowed.push_back({{"body", summary.model->name(one.body)}, {"pocket", summary.model->pockets[one.pocket].name}});
  Json works = Json::object();
  for (const CompliantReport::LawWork& work : report.works) works[work.law] = json_number(work.dissipated);
  return {
      {"integrator", report.integrator},
      {"contacts", report.contacts_started},
      {"clamped", report.attractions_clamped},
      {"least_approach", json_number(report.least_approach)},
      {"deepest", json_number(report.deepest)},
      {"constraint_drift", json_number(report.constraint_drift)},
      {"momentum", {{"initial", vector_json(report.momentum_before)}, {"final", vector_json(report.momentum_after)}}},
      {"settled", report.settled},
      {"swallowed", std::move(swallowed)},
      {"works", std::move(works)},
      {"warnings", report.warnings}};
}

Json energy_json(const RunSummary& summary) {
  const EnergyBook& book = summary.result.energy;
  return {{"initial", json_number(book.initial)},         {"final", json_number(book.now.total())},
          {"dissipated", json_number(book.dissipated())}, {"balance_error", json_number(summary.balance_error())},
          {"impacts", json_number(book.impacts)},         {"damping", json_number(book.damping)},
          {"cut_off", json_number(book.cut_off)},         {"contacts", json_number(book.contacts)},
          {"friction", json_number(book.friction)},       {"swallowed", json_number(book.swallowed)},
          {"wall_work", json_number(book.wall_work)},     {"torque_work", json_number(book.torque_work)},
          {"motor_work", json_number(book.motor_work)}};
}

}  // namespace

std::vector<std::string> RunSummary::failed_joints() const {
  std::vector<std::string> names;
  if (!result.failure) return names;
  const std::vector<BodyIndex>& involved = result.failure->bodies;
  const auto holds_involved = [&](const Joint& joint) {
    return std::all_of(joint.ends.begin(), joint.ends.end(), [&](const JointEnd& end) {
      return end.body == kNone || std::find(involved.begin(), involved.end(), end.body) != involved.end();
    });
  };
  for (const Joint& joint : model->joints) {
    const bool gear = joint.kind == JointKind::gear;
    if (gear ? holds_involved(model->joints[joint.geared[0]]) && holds_involved(model->joints[joint.geared[1]])
             : holds_involved(joint))
      names.push_back(joint.name);
  }
  return names;
}

double RunSummary::balance_error() const {
  const EnergyBook& book = result.energy;
  const double error = std::abs(book.error());
  const double scale = std::max({std::abs(book.initial), std::abs(book.now.total()), book.now.kinetic, energy_scale});
  return error == 0.0 ? 0.0 : error / scale;
}

namespace {

/// Of a limit of a joint `b` is the ground, which is no object.
Json collapse_json(const RunSummary& summary) {
  const std::optional<Collapse>& first = summary.result.first_collapse;
  if (!first) return {};
  const auto name = [&](ObjectIndex object) {
    return object == kNone || object >= summary.model->object_count() ? std::string("ground")
                                                                      : summary.model->name(object);
  };
  return {
      {"time", json_number(first->time)}, {"a", name(first->a)}, {"b", name(first->b)}, {"impacts", first->impacts}};
}

}  // namespace

Json RunSummary::to_json() const {
  Json flags = Json::array();
  for (const Flag flag : all_flags())
    if (result.flags.has(flag)) flags.push_back(flag_name(flag));
  Json json = {
      {"scene", title.empty() ? file : title},
      {"file", file},
      {"engine", engine},
      {"law", law.empty() ? Json() : Json(law)},
      {"stop", run_stop_name(result.stop)},
      {"failure", failure_json(*this)},
      {"time", {{"model", json_number(result.final_state.time)}, {"wall", json_number(wall_time)}}},
      {"guarantee", guarantee_name(result.guarantee)},
      {"flags", std::move(flags)},
      {"events",
       {{"impacts", result.impacts},
        {"multiple", result.multiple},
        {"contacts_opened", result.contacts_opened},
        {"collapses", result.collapses},
        {"first_collapse", collapse_json(*this)}}},
      {"steps",
       {{"accepted", result.steps_accepted}, {"rejected", result.steps_rejected}, {"evaluations", result.evaluations}}},
      {"energy", energy_json(*this)},
      {"record", record ? Json(*record) : Json()},
      {"unused", unused}};
  if (result.compliant) json["compliant"] = compliant_json(*this);
  if (!result.compliant && !law.empty() && result.of_several > 0) {
    // A law of one contact leaves impacts of several to another.
    const ImpactLaw& several = law_for_contacts(impact_law(law), 2);
    if (several.name != law) json["law_of_several_contacts"] = several.name;
  }
  return json;
}

Json RunSummary::bodies_json() const {
  Json list = Json::array();
  for (const BodyIndex index : model->bodies.indices()) {
    const BodyState& body = result.final_state.bodies[index];
    const Eigen::Quaterniond& q = body.orientation;
    list.push_back({{"name", model->bodies[index].name},
                    {"position", vector_json(body.position)},
                    {"orientation", {json_number(q.w()), json_number(q.x()), json_number(q.y()), json_number(q.z())}},
                    {"velocity", vector_json(body.velocity)},
                    {"angular_velocity", vector_json(body.angular_velocity)}});
  }
  return list;
}

}  // namespace carom
