#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "apps/tool.h"
#include "carom/laws/friction/registry.h"
#include "carom/laws/impact/registry.h"
#include "carom/laws/normal_force/registry.h"
#include "common/text_table.h"

namespace carom::test {
namespace {

/// The laws of one family, in the order of the output.
nlohmann::json laws_of(const std::string& family) {
  const ToolRun run = shell("carom laws --json");
  EXPECT_EQ(run.code, 0);
  nlohmann::json found = nlohmann::json::array();
  const auto laws = run.json()["laws"];
  for (const auto& law : laws)
    if (law["family"] == family) found.push_back(law);
  return found;
}

void expect_parameter(const nlohmann::json& shown, const LawParameter& parameter) {
  EXPECT_EQ(shown["name"], parameter.name);
  if (!parameter.choices.empty()) {
    EXPECT_EQ(shown["type"], "choice");
    EXPECT_EQ(shown["choices"].size(), parameter.choices.size());
    EXPECT_EQ(shown["default"], parameter.choices.front());
    return;
  }
  EXPECT_EQ(shown["type"], parameter.is_flag ? "flag" : "number");
  EXPECT_EQ(shown["required"], parameter.required);
  if (parameter.is_flag) return;
  EXPECT_EQ(shown["low"].get<double>(), parameter.low);
  if (parameter.has_default()) {
    EXPECT_EQ(shown["default"].get<double>(), parameter.default_value);
  } else {
    EXPECT_TRUE(shown["default"].is_null());
  }
  if (std::isfinite(parameter.high)) {
    EXPECT_EQ(shown["high"].get<double>(), parameter.high);
  } else {
    EXPECT_TRUE(shown["high"].is_null());
  }
}

TEST(Laws, EveryImpactLawIsListedWithItsParameters) {
  const auto laws = laws_of("impact");
  ASSERT_EQ(laws.size(), impact_laws().size());
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const ImpactLaw& law = *impact_laws()[i];
    EXPECT_EQ(laws[i]["name"], law.name);
    EXPECT_EQ(laws[i]["source"], law.source);
    EXPECT_EQ(laws[i]["default"], &law == &default_impact_law());
    for (const char* const promise : {"no_energy_created", "pushes_only", "separates"}) {
      EXPECT_TRUE(laws[i]["promises"][promise].is_string());
    }
    EXPECT_EQ(laws[i]["needs_tangents"], law.needs.tangents);
    EXPECT_TRUE(laws[i]["takes_contacts"].is_string());
    ASSERT_EQ(laws[i]["parameters"].size(), law.parameters.size());
    for (std::size_t p = 0; p < law.parameters.size(); ++p)
      expect_parameter(laws[i]["parameters"][p], law.parameters[p]);
  }
}

TEST(Laws, EveryNormalForceLawIsListedWithItsEffectiveRestitution) {
  const auto laws = laws_of("normal-force");
  ASSERT_EQ(laws.size(), normal_laws().size());
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const NormalLaw& law = *normal_laws()[i];
    EXPECT_EQ(laws[i]["name"], law.name);
    EXPECT_EQ(laws[i]["formula"], law.formula);
    EXPECT_EQ(laws[i]["source"], law.source);
    EXPECT_EQ(laws[i]["needs_approach_speed"], law.needs_approach_speed);
    EXPECT_EQ(laws[i]["default"], &law == &default_normal_law());
    ASSERT_EQ(laws[i]["parameters"].size(), law.parameters.size());
    for (std::size_t p = 0; p < law.parameters.size(); ++p)
      expect_parameter(laws[i]["parameters"][p], law.parameters[p]);
    ASSERT_EQ(laws[i]["effective_restitution"].size(), &law == &kHertzLaw ? 1 : 10) << law.name;
    for (const auto& entry : laws[i]["effective_restitution"])
      EXPECT_EQ(entry[1].get<double>(), law.effective_restitution(entry[0].get<double>())) << law.name;
  }
  EXPECT_EQ(laws[1]["name"], "exact");
  EXPECT_NEAR(laws[5]["effective_restitution"][6][1].get<double>(), 0.795972595365329, 1e-14);
}

TEST(Laws, EveryFrictionLawIsListedWithTheResistanceBeside) {
  const auto laws = laws_of("friction");
  ASSERT_EQ(laws.size(), friction_laws().size());
  const std::size_t beside = resistance_parameters().size();
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const FrictionLaw& law = *friction_laws()[i];
    EXPECT_EQ(laws[i]["name"], law.name);
    EXPECT_EQ(laws[i]["formula"], law.formula);
    EXPECT_EQ(laws[i]["has_history"], law.has_history);
    ASSERT_EQ(laws[i]["parameters"].size(), law.parameters.size() + beside);
    for (std::size_t p = 0; p < law.parameters.size(); ++p)
      expect_parameter(laws[i]["parameters"][p], law.parameters[p]);
    for (std::size_t p = 0; p < beside; ++p)
      expect_parameter(laws[i]["parameters"][law.parameters.size() + p], resistance_parameters()[p]);
  }
}

template <class Law>
void expect_shown(const std::string& text, const Law& law) {
  EXPECT_NE(text.find("\n" + std::string(law.name) + "\n"), std::string::npos) << law.name;
  for (const LawParameter& parameter : law.parameters)
    EXPECT_NE(text.find(" " + std::string(parameter.name)), std::string::npos) << parameter.name;
}

TEST(Laws, APersonSeesNamesOptionsAndSources) {
  const ToolRun run = shell("carom laws");
  EXPECT_EQ(run.code, 0);
  for (const ImpactLaw* law : impact_laws()) {
    expect_shown(run.out, *law);
    for (const LawParameter& parameter : law->parameters) {
      EXPECT_NE(run.out.find(std::string(parameter.name) + " = "), std::string::npos) << parameter.name;
    }
  }
  for (const NormalLaw* law : normal_laws()) expect_shown(run.out, *law);
  for (const FrictionLaw* law : friction_laws()) expect_shown(run.out, *law);
  // The row of the table of real restitutions.
  EXPECT_NE(run.out.find("lankarani-nikravesh  0.665  0.672  0.684  0.702  0.725  0.756  0.796  0.847  0.913  1.000"),
            std::string::npos);
}

TEST(Laws, FitATerminalOfAHundredColumns) {
  std::istringstream lines(shell("carom laws").out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(app::text_width(line), app::kTerminalWidth) << line;
}

}  // namespace
}  // namespace carom::test
