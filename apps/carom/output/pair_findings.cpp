#include "output/pair_findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/base/error.h"
#include "carom/engine/engine_registry.h"
#include "carom/geometry/curvature.h"
#include "carom/laws/normal_force/contact_stiffness.h"
#include "carom/laws/normal_force/registry.h"
#include "common/text_table.h"

namespace carom::app {
namespace {

Pose pose_of(const scene::SceneFile& scene, int object) {
  return scene.model.is_body(object) ? scene.state.bodies[object].pose()
                                     : scene.model.obstacle(object).pose_at(scene.state.time);
}

SurfaceCurvature curvature_at(const scene::SceneFile& scene, int object, int index, const Eigen::Vector3d& point) {
  const Part& part = scene.model.parts(object)[index];
  const Pose pose = placed_in(pose_of(scene, object), part.placement);
  const auto found = local_curvature(part.shape, pose.orientation.conjugate() * (point - pose.position));
  return found ? rotated(*found, pose.orientation) : SurfaceCurvature{};
}

/// Hertz's stiffness where two objects would touch; none where they would not in a point.
std::optional<double> hertz_of(const scene::SceneFile& scene, const InitialGap& gap) {
  const auto& materials = scene.model.materials;
  const Material& a = materials[scene.model.material(gap.a)];
  const Material& b = materials[scene.model.material(gap.b)];
  if (!a.young || !b.young) return std::nullopt;
  const double modulus = effective_modulus({*a.young, a.poisson.value_or(0.0)}, {*b.young, b.poisson.value_or(0.0)});
  const RelativeCurvatures curvatures =
      relative_curvatures(curvature_at(scene, gap.a, gap.part_a, gap.nearest.point_a),
                          curvature_at(scene, gap.b, gap.part_b, gap.nearest.point_b), gap.nearest.normal);
  if (!(curvatures.smaller > 0.0)) return std::nullopt;
  return hertz_stiffness(curvatures, modulus, "");
}

void include(std::optional<PairFinding::Stiffness>& range, double value) {
  if (!range) range = PairFinding::Stiffness{value, value};
  range->least = std::min(range->least, value);
  range->greatest = std::max(range->greatest, value);
}

PairFinding finding_of(const Model& model, int first, int second) {
  const ForceRule& force = model.force_rule(first, second);
  const PairRule rule = model.rule(first, second);
  const NormalLaw& law = force.normal.empty() ? normal_law("hertz") : normal_law(force.normal);
  PairFinding finding;
  finding.a = model.materials[first].name;
  finding.b = model.materials[second].name;
  finding.normal = law.name;
  finding.friction = force.friction;
  finding.nominal = rule.restitution;
  if (knows(law, "restitution") && !force.normal_parameters.has("relaxation_time")) {
    finding.effective = law.effective_restitution(rule.restitution.at_rest());
  }
  if (law.restitution_at_reference_speed) finding.reference_speed = force.normal_parameters.number("reference_speed");
  if (rule.stiffness) include(finding.stiffness, *rule.stiffness);
  finding.from_materials = !rule.stiffness;
  return finding;
}

std::string nominal_text(const PairFinding& pair) {
  return pair.nominal.is_constant() ? cell(pair.nominal.at_rest()) : pair.nominal.text();
}

std::string stiffness_text(const PairFinding& pair) {
  if (!pair.stiffness) return "–";
  constexpr int kDigits = 6;
  std::string text = cell(pair.stiffness->least, kDigits);
  constexpr double kRoundOff = 1e-9;
  if (pair.stiffness->greatest > pair.stiffness->least * (1.0 + kRoundOff))
    text += " … " + cell(pair.stiffness->greatest, kDigits);
  return text + (pair.from_materials ? " (Hertz)" : "");
}

}  // namespace

std::vector<PairFinding> find_pairs(const scene::SceneFile& scene, std::span<const InitialGap> gaps) {
  const Model& model = scene.model;
  const auto count = static_cast<int>(model.materials.size());
  std::vector<PairFinding> pairs;
  for (int first = 0; first < count; ++first) {
    for (int second = first; second < count; ++second) {
      PairFinding finding = finding_of(model, first, second);
      bool meet = false;
      for (const InitialGap& gap : gaps) {
        const int a = model.material(gap.a);
        const int b = model.material(gap.b);
        if (std::min(a, b) != first || std::max(a, b) != second) continue;
        meet = true;
        if (!finding.from_materials) break;
        if (const auto stiffness = hertz_of(scene, gap)) include(finding.stiffness, *stiffness);
      }
      const bool named = !model.force_rule(first, second).normal.empty();
      if (named || (meet && engine_kind(scene.run.engine).has_forces)) pairs.push_back(std::move(finding));
    }
  }
  return pairs;
}

Json pairs_json(const std::vector<PairFinding>& pairs) {
  Json list = Json::array();
  for (const PairFinding& pair : pairs) {
    Json stiffness;
    if (pair.stiffness) {
      stiffness = {{"least", json_number(pair.stiffness->least)},
                   {"greatest", json_number(pair.stiffness->greatest)},
                   {"from_materials", pair.from_materials}};
    }
    list.push_back({{"materials", {pair.a, pair.b}},
                    {"normal", pair.normal},
                    {"friction", pair.friction.empty() ? Json() : Json(pair.friction)},
                    {"restitution",
                     {{"nominal", json_number(pair.nominal.at_rest())},
                      {"effective", json_number(pair.effective)},
                      {"effective_holds_for", pair.effective ? Json("one point, central") : Json()},
                      {"by_speed", pair.nominal.is_constant() ? Json() : Json(pair.nominal.text())}}},
                    {"reference_speed", json_number(pair.reference_speed)},
                    {"stiffness", std::move(stiffness)}});
  }
  return list;
}

std::string pairs_text(const std::vector<PairFinding>& pairs) {
  if (pairs.empty()) return "";
  TextTable table({{"materials", Align::left},
                   {"normal law", Align::left},
                   {"restitution\nnominal"},
                   {"really,\nat one point"},
                   {"stiffness K", Align::left},
                   {"friction", Align::left}});
  for (const PairFinding& pair : pairs) {
    std::string really = cell(pair.effective);
    if (!pair.nominal.is_constant() && pair.effective) really += " when slow";
    if (pair.reference_speed) really += fmt::format(" at {} m/s", cell(*pair.reference_speed));
    table.add_row({pair.a + ", " + pair.b, std::string(pair.normal), nominal_text(pair), really, stiffness_text(pair),
                   pair.friction.empty() ? "none" : pair.friction});
  }
  return table.text();
}

}  // namespace carom::app
