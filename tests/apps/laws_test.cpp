#include <gtest/gtest.h>

#include "apps/tool.h"
#include "carom/laws/impact/registry.h"

namespace carom::test {
namespace {

TEST(Laws, EveryLawOfTheRegistryIsListedWithItsParameters) {
  const ToolRun run = shell("carom laws --json");
  ASSERT_EQ(run.code, 0);
  const auto laws = run.json()["laws"];
  ASSERT_EQ(laws.size(), impact_laws().size());
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const ImpactLaw& law = *impact_laws()[i];
    EXPECT_EQ(laws[i]["family"], "impact");
    EXPECT_EQ(laws[i]["name"], law.name);
    EXPECT_EQ(laws[i]["source"], law.source);
    EXPECT_EQ(laws[i]["default"], &law == &default_impact_law());
    for (const char* const promise : {"no_energy_created", "pushes_only", "separates"}) {
      EXPECT_TRUE(laws[i]["promises"][promise].is_string());
    }
    ASSERT_EQ(laws[i]["parameters"].size(), law.parameters.size());
    for (std::size_t p = 0; p < law.parameters.size(); ++p) {
      const auto& parameter = laws[i]["parameters"][p];
      EXPECT_EQ(parameter["name"], law.parameters[p].name);
      EXPECT_EQ(parameter["type"], law.parameters[p].is_flag ? "flag" : "number");
      if (!law.parameters[p].is_flag) {
        EXPECT_EQ(parameter["default"].get<double>(), law.parameters[p].default_value);
        EXPECT_EQ(parameter["low"].get<double>(), law.parameters[p].low);
        EXPECT_EQ(parameter["high"].get<double>(), law.parameters[p].high);
      }
    }
  }
}

TEST(Laws, APersonSeesNamesOptionsAndSources) {
  const ToolRun run = shell("carom laws");
  EXPECT_EQ(run.code, 0);
  for (const ImpactLaw* law : impact_laws()) {
    EXPECT_NE(run.out.find("\n" + std::string(law->name) + "\n"), std::string::npos) << law->name;
    for (const LawParameter& parameter : law->parameters) {
      EXPECT_NE(run.out.find(std::string(parameter.name) + " = "), std::string::npos) << parameter.name;
    }
  }
}

}  // namespace
}  // namespace carom::test
