/// What every normal force law of the registry must keep.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "carom/base/error.h"
#include "carom/base/random.h"
#include "carom/laws/normal_force/collision.h"
#include "carom/laws/normal_force/damping_ratio.h"
#include "carom/laws/normal_force/hysteretic.h"
#include "carom/laws/normal_force/registry.h"
#include "support/property_cases.h"

namespace carom {
namespace {

const LawParameter* find(const NormalLaw& law, std::string_view name) {
  for (const LawParameter& parameter : law.parameters)
    if (parameter.name == name) return &parameter;
  return nullptr;
}

struct Case {
  double restitution = 0.8;
  double exponent = 1.5;
  double stiffness = 1.0;
  double mass = 1.0;
  double speed = 1.0;
};

/// The law's input for a case, each parameter given only where the law has it. The reference speed is the impact speed.
NormalInput input_of(const NormalLaw& law, const Case& given) {
  LawParameters parameters;
  const LawParameter* const restitution = find(law, "restitution");
  if (given.restitution >= restitution->low) parameters.set("restitution", given.restitution);
  if (find(law, "exponent") != nullptr) parameters.set("exponent", given.exponent);
  if (find(law, "reference_speed") != nullptr) parameters.set("reference_speed", given.speed);
  parameters.set("stiffness", given.stiffness);
  NormalInput input = normal_input(law, parameters);
  input.reduced_mass = given.mass;
  input.approach_speed = given.speed;
  return input;
}

Case random_case(Random& random) {
  constexpr double kExponents[] = {1.5, 1.0, 1.25, 2.0, 3.0};
  return {.restitution = random.uniform(0.2, 1.0),
          .exponent = kExponents[random.integer(0, 4)],
          .stiffness = std::exp(random.uniform(-5.0, 25.0)),
          .mass = std::exp(random.uniform(-8.0, 3.0)),
          .speed = std::exp(random.uniform(-6.0, 3.0))};
}

class EveryNormalLaw : public testing::TestWithParam<const NormalLaw*> {};

TEST_P(EveryNormalLaw, SaysWhatItIs) {
  const NormalLaw& law = *GetParam();
  EXPECT_FALSE(law.name.empty());
  EXPECT_FALSE(law.summary.empty());
  EXPECT_FALSE(law.source.empty());
  EXPECT_EQ(law.formula.substr(0, 2), "F ");
  EXPECT_EQ(&normal_law(law.name), &law);
  EXPECT_NE(law.calibrate, nullptr);
  EXPECT_NE(law.prepare, nullptr);
  ASSERT_NE(law.effective_restitution, nullptr);
  ASSERT_NE(find(law, "restitution"), nullptr);
  ASSERT_NE(find(law, "stiffness"), nullptr);
  for (const LawParameter& parameter : law.parameters) {
    EXPECT_FALSE(parameter.help.empty()) << parameter.name;
    EXPECT_FALSE(parameter.required && parameter.optional) << parameter.name;
    if (!parameter.has_default()) continue;
    EXPECT_GE(parameter.default_value, parameter.low) << parameter.name;
    EXPECT_LE(parameter.default_value, parameter.high) << parameter.name;
  }
}

TEST_P(EveryNormalLaw, PushesOnlyWithAFiniteForceThatVanishesWithTheDepth) {
  Random random(17);
  for (int i = 0; i < test::property_cases(2000); ++i) {
    const Case given = random_case(random);
    const NormalForce force = GetParam()->prepare(input_of(*GetParam(), given));
    const double scale = std::pow(given.mass * given.speed * given.speed / given.stiffness, 1.0 / (force.exponent + 1));
    const double depth = scale * std::exp(random.uniform(-30.0, 1.0));
    const double rate = given.speed * random.uniform(-3.0, 1.0);
    const NormalValue value = force.evaluate(depth, rate);
    ASSERT_TRUE(std::isfinite(value.force));
    EXPECT_GE(value.force, 0.0);
    const double expected = force.stiffness * std::pow(depth, force.exponent) +
                            force.damping * std::pow(depth, force.damping_exponent) * rate;
    const double size = value.elastic + std::abs(expected - value.elastic);
    EXPECT_NEAR(value.force, std::max(0.0, expected), 1e-14 * size);
    if (std::abs(expected) > 1e-14 * size) {
      EXPECT_EQ(value.clamped, expected < 0.0);
    }
    EXPECT_EQ(force.evaluate(0.0, rate).force, 0.0);
    EXPECT_EQ(force.evaluate(-depth, rate).force, 0.0);
    EXPECT_EQ(force.evaluate(-depth, rate).elastic, 0.0);
    EXPECT_GE(force.damping, 0.0);
    // Continuous at first contact but for the dashpot that acts at once (q = 0).
    if (force.damping_exponent > 0.0) {
      const double unit = force.stiffness * std::pow(scale, force.exponent);
      EXPECT_LT(force.evaluate(1e-40 * scale, given.speed).force, 1e-9 * unit * (1.0 + given.speed)) << i;
    }
  }
}

TEST_P(EveryNormalLaw, StoresWhatItsSpringGivesBack) {
  // ∫ elastic dδ by Simpson's rule in s, δ = s⁴: all exponents become whole powers of s.
  const NormalForce force = GetParam()->prepare(input_of(*GetParam(), {.stiffness = 3.0}));
  const double depth = 0.7;
  const int intervals = 400;
  double sum = 0.0;
  const double top = std::pow(depth, 0.25);
  for (int i = 0; i <= intervals; ++i) {
    const double s = top * i / intervals;
    const double weight = i == 0 || i == intervals ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
    sum += weight * force.evaluate(s * s * s * s, 0.0).elastic * 4.0 * s * s * s;
  }
  EXPECT_NEAR(force.stored(depth) / (sum * top / intervals / 3.0), 1.0, 1e-8);
  EXPECT_NEAR(force.evaluate(force.static_depth(2.5), 0.0).force, 2.5, 1e-14 * 5);
}

TEST_P(EveryNormalLaw, ReboundsAtItsEffectiveRestitution) {
  Random random(23);
  for (int i = 0; i < test::property_cases(150); ++i) {
    const Case given = random_case(random);
    const NormalLaw& law = *GetParam();
    const NormalInput input = input_of(law, given);
    const CollisionOutcome outcome = two_body_collision(law.prepare(input), {given.mass, given.speed});
    ASSERT_TRUE(outcome.finished);
    EXPECT_NEAR(outcome.restitution, law.effective_restitution(input.restitution), 1e-9)
        << law.name << ", c = " << given.restitution << ", n = " << given.exponent << ", K = " << given.stiffness;
  }
}

TEST_P(EveryNormalLaw, RefusesARestitutionOutsideItsRangeWithItsName) {
  const NormalLaw& law = *GetParam();
  for (const double c : {-0.1, 1.1, std::nan("")}) {
    LawParameters given;
    given.set("restitution", c);
    given.set("stiffness", 1.0);
    if (find(law, "reference_speed") != nullptr) given.set("reference_speed", 1.0);
    try {
      normal_input(law, given, "pair.0");
      FAIL() << law.name << " took " << c;
    } catch (const InputError& error) {
      EXPECT_EQ(error.place().field, "pair.0.restitution");
      EXPECT_NE(std::string(error.what()).find(law.name), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("expected"), std::string::npos) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(NormalForce, EveryNormalLaw, testing::ValuesIn(normal_laws().begin(), normal_laws().end()),
                         [](const auto& parameter) {
                           std::string name(parameter.param->name);
                           for (char& letter : name)
                             if (letter == '-') letter = '_';
                           return name;
                         });

TEST(NormalForce, LambdaAndRestitutionUndoEachOther) {
  for (const double e : {1e-6, 1e-3, 0.02, 0.05, 0.3, 0.6, 0.9, 0.999, 1 - 1e-6, 1 - 1e-9, 1 - 1e-13, 1.0}) {
    const double lambda = hysteretic::exact_lambda(e);
    EXPECT_NEAR(hysteretic::restitution(lambda), e, 4e-16) << e;
    // λ = (3/2)(1 − e) + (3/20)(1 − e)² … as e → 1, with every digit of 1 − e.
    if (e > 0.99 && e < 1.0) {
      EXPECT_NEAR(lambda / (1.5 * (1.0 - e)), 1.0, 1.1 * (1.0 - e) + 1e-15) << e;
    }
  }
  EXPECT_EQ(hysteretic::exact_lambda(1.0), 0.0);
  EXPECT_EQ(hysteretic::restitution(0.0), 1.0);
  EXPECT_NEAR(hysteretic::restitution(1e-10), 1.0 - 2e-10 / 3.0, 2e-16);
  EXPECT_NEAR(hysteretic::restitution(1e8), 1e-8, 1e-22);
}

TEST(NormalForce, DampingRatioAndRestitutionUndoEachOther) {
  for (const double e : {1e-6, 0.01, 0.1, std::exp(-2.0), 0.1353, 0.14, 0.5, 0.9, 1 - 1e-9, 1.0})
    EXPECT_NEAR(clamped_restitution(damping_ratio(e)) / e, 1.0, 1e-14) << e;
  EXPECT_NEAR(damping_ratio(std::exp(-2.0)), 1.0, 1e-14);  // critical: e = e⁻²
  EXPECT_EQ(damping_ratio(1.0), 0.0);
  // Both sides of the circle where the series takes over.
  for (const double ratio : {0.9, 1.1})
    EXPECT_NEAR(clamped_restitution(ratio * (1 - 1e-12)) / clamped_restitution(ratio * (1 + 1e-12)), 1.0, 1e-11);
}

TEST(NormalForce, TheFixedSpeedLawLosesMoreAtHigherSpeed) {
  LawParameters given;
  given.set("restitution", 0.8);
  given.set("reference_speed", 2.0);
  NormalInput input = normal_input(kHuntCrossleyFixedLaw, given);
  input.stiffness = 1e6;
  const NormalForce force = kHuntCrossleyFixedLaw.prepare(input);
  for (const double speed : {0.1, 1.0, 2.0, 5.0}) {
    const double expected = hysteretic::restitution(hysteretic::exact_lambda(0.8) * speed / 2.0);
    EXPECT_NEAR(two_body_collision(force, {0.3, speed}).restitution, expected, 1e-11) << speed;
  }
}

TEST(NormalForce, OnlyLawsWithoutApproachSpeedMayTouchAtTheStart) {
  for (const NormalLaw* law : normal_laws()) {
    if (law->needs_approach_speed) {
      EXPECT_THROW(check_touching_start(*law, "'a' and 'b'", "pair.0.normal"), InputError) << law->name;
    } else {
      EXPECT_NO_THROW(check_touching_start(*law, "'a' and 'b'", "pair.0.normal")) << law->name;
    }
  }
  EXPECT_FALSE(touching_normal_law().needs_approach_speed);
}

TEST(NormalForce, PoolBallsAreSlowOnlyBelowTwoCentimetresPerSecond) {
  EXPECT_NEAR(validity_speed(5.84e9, 0.17 / (4.0 / 3.0 * M_PI * std::pow(0.028575, 3))), 0.0183, 1e-4);
}

std::string complaint(const NormalLaw& law, const LawParameters& given) {
  try {
    normal_input(law, given, "pair.0");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Of a pair, unlike of the law's own parameters: a scene of the rigid engine says 0 where nothing comes back.
TEST(NormalForce, APairWithoutReboundGivesBackAThousandthWhereTheLawNeedsMoreThanNothing) {
  LawParameters given;
  given.set("reference_speed", 1.0);
  for (const NormalLaw* law : {&kHuntCrossleyFixedLaw, &kKuwabaraKonoLaw}) {
    EXPECT_EQ(normal_input(*law, given, Restitution(0.0), "pair.0").restitution, 1e-3) << law->name;
    EXPECT_EQ(normal_input(*law, given, Restitution(2e-3), "pair.0").restitution, 2e-3) << law->name;
  }
  for (const NormalLaw* law : {&kExactLaw, &kTsujiLaw, &kFloresLaw})
    EXPECT_EQ(normal_input(*law, {}, Restitution(0.0), "pair.0").restitution, 1e-3) << law->name;
  const Restitution falling(RestitutionTable{{1.0, 2.0}, {0.5, 0.0}});
  const NormalInput input = normal_input(kTsujiLaw, {}, falling, "pair.0");
  EXPECT_EQ(at_restitution(kTsujiLaw, input, falling.at(3.0)).restitution, 1e-3);
  EXPECT_EQ(normal_input(kLankaraniNikraveshLaw, {}, Restitution(0.0), "pair.0").restitution, 0.0);
  EXPECT_THROW(normal_input(kHertzLaw, {}, Restitution(0.0), "pair.0"), InputError);
}

TEST(NormalForce, MistakesAreToldWithWhatWasExpected) {
  LawParameters none;
  EXPECT_EQ(complaint(kHuntCrossleyFixedLaw, none),
            "pair.0.reference_speed is missing, the law 'hunt-crossley-fixed' needs it: impact speed at which the "
            "restitution holds, expected a number > 0 [m/s]");
  LawParameters zero;
  zero.set("restitution", 0.0);
  for (const NormalLaw* law : {&kFloresLaw, &kGonthierLaw, &kHuGuoLaw, &kGharibHurmuzluLaw})
    EXPECT_NE(complaint(*law, zero).find("infinite at 0: take a small value such as 0.01"), std::string::npos)
        << law->name;
  EXPECT_NE(complaint(kExactLaw, zero).find("needs infinite damping"), std::string::npos);
  EXPECT_EQ(complaint(kLankaraniNikraveshLaw, zero), "");
  LawParameters lossy;
  lossy.set("restitution", 0.9);
  EXPECT_EQ(complaint(kHertzLaw, lossy),
            "pair.0.restitution of the law 'hertz' is 0.9, expected 1; take the law 'exact' or 'hunt-crossley-fixed' "
            "for a smaller one");
  LawParameters misspelt;
  misspelt.set("restitutoin", 0.9);
  EXPECT_NE(complaint(kExactLaw, misspelt).find("did you mean 'restitution'?"), std::string::npos);
  LawParameters flag;
  flag.set("restitution", true);
  EXPECT_EQ(complaint(kExactLaw, flag),
            "pair.0.restitution of the law 'exact' is true, expected a number from 1e-06 to 1");
  LawParameters linear;
  linear.set("exponent", 1.0);
  EXPECT_NE(complaint(kExactLaw, linear).find("pair.0.stiffness is missing"), std::string::npos);
  EXPECT_NE(complaint(kKelvinVoigtLaw, none).find("pair.0.stiffness is missing"), std::string::npos);
  EXPECT_NE(complaint(kTsujiLaw, linear).find("unknown tsuji parameter 'exponent'"), std::string::npos);
  LawParameters both;
  both.set("relaxation_time", 1e-5);
  both.set("restitution", 0.9);
  EXPECT_NE(complaint(kKuwabaraKonoLaw, both).find("expected none beside a relaxation_time"), std::string::npos);
  EXPECT_NE(complaint(kKuwabaraKonoLaw, lossy).find("reference_speed is missing"), std::string::npos);
  try {
    normal_law("hunt-crosley");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'hunt-crossley'?"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace carom
