#include "carom/numerics/elliptic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "carom/base/random.h"
#include "carom/numerics/third_kind_angle.h"

namespace carom::elliptic {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kPi = std::numbers::pi;

struct JacobiCase {
  Parameter parameter;
  double u;
  JacobiValues exact;
};

// mpmath at 50 to 120 digits from the doubles as given (parameter from 1 − m where that is the shorter number).
constexpr JacobiCase kJacobiCases[] = {
    {{0.3, 0.7}, 0.0625, {0.062447144866086914, 0.9980482724287808, 0.999414881933135}},
    {{0.3, 0.7}, 1.25, {0.9240775920544677, 0.3822049239123126, 0.8624524225479601}},
    {{0.3, 0.7}, -7.5, {-0.5909049263591649, 0.8067412026198177, 0.9461762047321529}},
    {{0.3, 0.7}, 40.0, {-0.8806536979405644, 0.4737605558756545, 0.8759764376346448}},
    {{0.3, 0.7}, 1000.0, {-0.7704500786491776, 0.6375003343602856, 0.9065991412376491}},
    {{0.5, 0.5}, 0.0625, {0.062439030333274935, 0.9980487801160023, 0.9990248664300204}},
    {{0.5, 0.5}, 1.25, {0.9048515139796526, 0.42572730432605627, 0.7685192703012497}},
    {{0.5, 0.5}, -7.5, {-0.08355497181025649, 0.996503169430879, 0.9982531158693638}},
    {{0.5, 0.5}, 40.0, {0.6843640667796204, -0.729140469389033, 0.875113085292655}},
    {{0.5, 0.5}, 1000.0, {-0.8878321984811046, 0.4601673471034297, 0.7783810080353349}},
    {{0.75, 0.25}, 0.0625, {0.062428888050008215, 0.998049414576673, 0.998537418153486}},
    {{0.75, 0.25}, 1.25, {0.878021474505523, 0.47862123888012653, 0.6494680267190682}},
    {{0.75, 0.25}, -7.5, {0.835322451952935, 0.549760312557515, 0.6904182072827327}},
    {{0.75, 0.25}, 40.0, {-0.8559001083295043, -0.51714118436027, 0.6712497697736344}},
    {{0.75, 0.25}, 1000.0, {-0.560960319717206, 0.8278426901910593, 0.8740667250142163}},
    {{0.999, 0.0010000000000000009}, 0.0625, {0.062418787310768886, 0.99805004633568, 0.9980519981923098}},
    {{0.999, 0.0010000000000000009}, 1.25, {0.8484080599619216, 0.5293427658820402, 0.5300222259753423}},
    {{0.999, 0.0010000000000000009}, -7.5, {-0.9750944816646087, -0.22178988215702733, 0.22392311420530228}},
    {{0.999, 0.0010000000000000009}, 40.0, {0.8541795974949604, 0.5199780910993725, 0.5206792083501357}},
    {{0.999, 0.0010000000000000009}, 1000.0, {-0.9917075632466111, -0.12851501468493423, 0.1322860268148885}},
    {{1e-12, 0.999999999999}, 0.0625, {0.06245931784238016, 0.9980475107000991, 0.999999999999998}},
    {{1e-12, 0.999999999999}, 1.25, {0.9489846193555113, 0.3153223623954942, 0.9999999999995497}},
    {{1e-12, 0.999999999999}, -7.5, {-0.9379999767741171, 0.3466353178367083, 0.9999999999995601}},
    {{1e-12, 0.999999999999}, 40.0, {0.745113160486101, -0.6669380616447181, 0.9999999999997224}},
    {{1e-12, 0.999999999999}, 1000.0, {0.8268795403914732, 0.5623790764973268, 0.9999999999996582}},
    {{0.9999999999, 1e-10}, 0.0625, {0.062418746747516574, 0.9980500488725349, 0.9980500488727301}},
    {{0.9999999999, 1e-10}, 1.25, {0.848283639969957, 0.5295421287861055, 0.5295421288540496}},
    {{0.9999999999, 1e-10}, -7.5, {-0.9999993882205457, 0.0011061458016141553, 0.001106191002633029}},
    {{0.9999999999, 1e-10}, 40.0, {-0.9999999998549896, 1.703000059087209e-05, 1.9748947316150845e-05}},
    {{0.9999999999, 1e-10}, 1000.0, {0.9999906968087773, -0.004313501581786031, 0.004313513173065542}},
    {{1.0, 1e-25}, 0.0625, {0.062418746747512514, 0.9980500488725352, 0.9980500488725352}},
    {{1.0, 1e-25}, 1.25, {0.8482836399575129, 0.52954212880604, 0.52954212880604}},
    {{1.0, 1e-25}, -7.5, {-0.9999993881955461, 0.0011061684019161861, 0.0011061684019161861}},
    {{1.0, 1e-25}, 40.0, {1.0, -2.9423158269660414e-09, 2.9423158439594583e-09}},
    {{1.0, 1e-25}, 1000.0, {1.0, -1.334784843775715e-11, 1.335159383434562e-11}},
    {{0.0, 1.0}, 0.0625, {0.0624593178423802, 0.9980475107000991, 1.0}},
    {{0.0, 1.0}, 1.25, {0.9489846193555862, 0.3153223623952687, 1.0}},
    {{0.0, 1.0}, -7.5, {-0.9379999767747389, 0.3466353178350258, 1.0}},
    {{0.0, 1.0}, 40.0, {0.7451131604793488, -0.6669380616522619, 1.0}},
    {{0.0, 1.0}, 1000.0, {0.8268795405320025, 0.5623790762907029, 1.0}},
    {{1.0, 0.0}, 0.0625, {0.062418746747512514, 0.9980500488725352, 0.9980500488725352}},
    {{1.0, 0.0}, 1.25, {0.8482836399575129, 0.52954212880604, 0.52954212880604}},
    {{1.0, 0.0}, -7.5, {-0.9999993881955461, 0.0011061684019161861, 0.0011061684019161861}},
    {{1.0, 0.0}, 40.0, {1.0, 8.496708510583178e-18, 8.496708510583178e-18}},
    {{1.0, 0.0}, 1000.0, {1.0, 0.0, 0.0}},
};

/// Parameters m or 1 − m from 1 down to 1e-300.
Parameter random_parameter(Random& random) {
  switch (random.integer(0, 2)) {
    case 0: return Parameter::of(random.uniform());
    case 1: {
      const double m = std::pow(10.0, random.uniform(-300.0, 0.0));
      return {m, 1.0 - m};
    }
    default: {
      const double complement = std::pow(10.0, random.uniform(-300.0, 0.0));
      return {1.0 - complement, complement};
    }
  }
}

TEST(Elliptic, CarlsonIntegralsAgreeWithFiftyDigits) {
  const double rf[][4] = {{1.0, 2.0, 0.0, 1.3110287771460598},
                          {0.5, 1.0, 0.0, 1.8540746773013719},
                          {2.0, 3.0, 4.0, 0.5840828416771517},
                          {1e-09, 0.5, 1.0, 1.854029957292421},
                          {1e-20, 0.001, 7.0, 2.197220486444325}};
  for (const auto& c : rf) EXPECT_NEAR(carlson_rf(c[0], c[1], c[2]), c[3], 4 * kEpsilon * c[3]);
  const double rc[][3] = {{0.0, 0.25, 3.141592653589793},    {2.25, 2.0, 0.6931471805599453},
                          {0.25, 3.0, 0.7706349893919592},   {1.0, 1.0005, 0.9998333833154831},
                          {1.0, 0.9995, 1.0001667166845307}, {1e-10, 1.0, 1.5707863268734357}};
  for (const auto& c : rc) EXPECT_NEAR(carlson_rc(c[0], c[1]), c[2], 4 * kEpsilon * c[2]);
  const double rj[][5] = {{0.0, 1.0, 2.0, 3.0, 0.7768862377858233},
                          {2.0, 3.0, 4.0, 5.0, 0.14297579667156754},
                          {1e-06, 0.5, 1.0, 0.1, 15.196019869392746},
                          {0.2, 0.3, 1.0, 40.0, 0.09805369390935155},
                          {0.9, 0.95, 1.0, 0.001, 10.141579448751271}};
  for (const auto& c : rj) EXPECT_NEAR(carlson_rj(c[0], c[1], c[2], c[3]), c[4], 8 * kEpsilon * c[4]);
}

TEST(Elliptic, CompleteIntegralAgreesWithFiftyDigitsAndIsInfiniteAtOne) {
  const double complete[][2] = {{1.0, 1.5707963267948966},
                                {0.5, 1.8540746773013719},
                                {0.001, 4.841132560550297},
                                {1e-12, 15.201804919087715},
                                {1e-100, 116.51554901082217}};
  for (const auto& c : complete) {
    EXPECT_NEAR(complete_first_kind({1.0 - c[0], c[0]}), c[1], 4 * kEpsilon * c[1]) << c[0];
    EXPECT_NEAR(first_kind({1.0, 0.0}, {1.0 - c[0], c[0]}), c[1], 4 * kEpsilon * c[1]) << c[0];
  }
  EXPECT_EQ(complete_first_kind({1.0, 0.0}), std::numeric_limits<double>::infinity());
}

TEST(Elliptic, LegendreIntegralsAgreeWithFiftyDigits) {
  // m, n, φ, F, Π
  const double cases[][5] = {{0.3, -0.5, 0.7, 0.7165177159853932, 0.668623630626626},
                             {0.9, -4.0, 1.4, 2.059092092016366, 0.8413751869790163},
                             {0.9, 0.5, -1.2, -1.5648981345066715, -2.0573362992501663},
                             {0.99, -0.01, 10.0, 22.783267219475515, 22.621624955954474},
                             {0.5, -30.0, -25.0, -29.53225861257154, -4.626938949288093}};
  for (const auto& c : cases) {
    // The complement of 0.9 and 0.99 is rounded, which moves F by about its own rounding.
    EXPECT_NEAR(first_kind(c[2], Parameter::of(c[0])), c[3], 16 * kEpsilon * std::abs(c[3])) << c[0];
    EXPECT_NEAR(third_kind(c[1], c[2], Parameter::of(c[0])), c[4], 32 * kEpsilon * std::abs(c[4])) << c[0];
  }
}

TEST(Elliptic, JacobiFunctionsAgreeWithFiftyDigits) {
  for (const JacobiCase& c : kJacobiCases) {
    const JacobiValues values = JacobiFunctions(c.parameter)(c.u);
    // Round-off of the reduced argument and of K.
    const double tolerance = kEpsilon * (8.0 + 4.0 * std::abs(c.u));
    EXPECT_NEAR(values.sn, c.exact.sn, tolerance * std::abs(c.exact.sn) + (std::abs(c.u) > 1.5 ? tolerance : 0.0))
        << c.parameter.m << ' ' << c.u;
    EXPECT_NEAR(values.cn, c.exact.cn, tolerance) << c.parameter.m << ' ' << c.u;
    // |d ln dn/du| ≤ 1: dn has relative precision.
    EXPECT_NEAR(values.dn, c.exact.dn, 2.0 * tolerance * c.exact.dn + 1e-150) << c.parameter.m << ' ' << c.u;
  }
}

TEST(Elliptic, JacobiFunctionsKeepTheirTwoIdentities) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const Parameter p = random_parameter(random);
    const double u = random.uniform(-1.0, 1.0) * std::pow(10.0, random.uniform(-3.0, 6.0));
    const JacobiValues v = JacobiFunctions(p)(u);
    EXPECT_NEAR(v.sn * v.sn + v.cn * v.cn, 1.0, 16 * kEpsilon) << p.m << ' ' << p.complement << ' ' << u;
    // dn² = cn² + (1−m) sn², a sum of positive terms: relative precision.
    const double dn2 = v.cn * v.cn + p.complement * v.sn * v.sn;
    EXPECT_NEAR(v.dn * v.dn, dn2, 32 * kEpsilon * dn2 + 1e-300) << p.m << ' ' << p.complement << ' ' << u;
  }
}

TEST(Elliptic, JacobiFunctionsInvertTheIntegralOfTheFirstKind) {
  Random random(2);
  for (int i = 0; i < 5000; ++i) {
    const Parameter p = random_parameter(random);
    const double phi = random.uniform(-0.5 * kPi, 0.5 * kPi);
    const double u = first_kind(phi, p);
    const JacobiValues v = JacobiFunctions(p)(u);
    EXPECT_NEAR(v.sn, std::sin(phi), kEpsilon * (16.0 + 4.0 * std::abs(u))) << p.m << ' ' << phi;
    EXPECT_NEAR(v.cn, std::cos(phi), kEpsilon * (16.0 + 4.0 * std::abs(u))) << p.m << ' ' << phi;
  }
}

TEST(Elliptic, JacobiFunctionsHaveTheirDerivativesAndPeriods) {
  Random random(3);
  const double h = 1e-3;
  for (int i = 0; i < 2000; ++i) {
    const JacobiFunctions f(Parameter::of(random.uniform()));
    const double u = random.uniform(-10.0, 10.0);
    const JacobiValues v = f(u);
    // Central difference of order four: error h⁴/30 times a fifth derivative below 100.
    const JacobiValues a = f(u - 2 * h), b = f(u - h), c = f(u + h), d = f(u + 2 * h);
    const auto slope = [&](double p, double q, double r, double s) { return (p - 8 * q + 8 * r - s) / (12 * h); };
    EXPECT_NEAR(slope(a.sn, b.sn, c.sn, d.sn), v.cn * v.dn, 1e-11);
    EXPECT_NEAR(slope(a.cn, b.cn, c.cn, d.cn), -v.sn * v.dn, 1e-11);
    EXPECT_NEAR(slope(a.dn, b.dn, c.dn, d.dn), -f.parameter().m * v.sn * v.cn, 1e-11);
    const JacobiValues half = f(u + 2.0 * f.quarter_period());
    EXPECT_NEAR(half.sn, -v.sn, 1e-13);
    EXPECT_NEAR(half.cn, -v.cn, 1e-13);
    EXPECT_NEAR(half.dn, v.dn, 1e-13);
  }
}

TEST(Elliptic, JacobiFunctionsTakeTheirSpecialValuesAtQuarterAndEighthPeriods) {
  for (const double m : {0.0, 0.2, 0.5, 0.8, 0.999}) {
    const JacobiFunctions f(Parameter::of(m));
    const double root = std::sqrt(1.0 - m);
    const JacobiValues quarter = f(f.quarter_period());
    EXPECT_DOUBLE_EQ(quarter.sn, 1.0);
    EXPECT_NEAR(quarter.cn, 0.0, 1e-15);
    EXPECT_DOUBLE_EQ(quarter.dn, root);
    const JacobiValues eighth = f(0.5 * f.quarter_period());
    EXPECT_NEAR(eighth.sn, 1.0 / std::sqrt(1.0 + root), 1e-15);
    EXPECT_NEAR(eighth.cn, std::sqrt(root / (1.0 + root)), 1e-15);
    EXPECT_NEAR(eighth.dn, std::sqrt(root), 1e-15);
  }
}

/// κ ∫₀^u ν sn²/(1 + ν sn²) by the angle of theta functions.
double by_angle(const JacobiFunctions& f, double nu, double u) {
  const ThirdKindAngle angle(f, nu);
  const auto spot = f.locate(u);
  const JacobiValues v = f.reduced(spot);
  const auto y = angle.bounded(spot, v);
  EXPECT_GT(y.real, 0.0);
  const double local = std::atan2(std::sqrt(1.0 + nu) * v.sn, v.cn) - (spot.odd ? 0.5 * kPi : 0.0);
  return angle.slope() * u + angle.step() * spot.quarter - std::atan2(y.imaginary, y.real) -
         (0.5 * kPi * spot.quarter + local);
}

TEST(Elliptic, ThirdKindAngleAgreesWithCarlson) {
  Random random(4);
  for (int i = 0; i < 5000; ++i) {
    const Parameter p = i % 2 == 0 ? Parameter::of(random.uniform()) : random_parameter(random);
    const double nu = std::pow(10.0, random.uniform(-6.0, 6.0));
    const JacobiFunctions f(p);
    const double phi = random.uniform(-20.0, 20.0);
    const double u = first_kind(phi, p);
    const double kappa = std::sqrt((1.0 + nu) * (p.m + nu) / nu);
    const double carlson = kappa * (u - third_kind(-nu, phi, p));
    // Both are differences of terms as large as κu.
    EXPECT_NEAR(by_angle(f, nu, u), carlson, kEpsilon * (64.0 + 16.0 * kappa * std::abs(u)))
        << p.m << ' ' << p.complement << ' ' << nu << ' ' << phi;
  }
}

}  // namespace
}  // namespace carom::elliptic
