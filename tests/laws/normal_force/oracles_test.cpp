/// Normal force laws against tables computed with 40 digits or in quadruple precision.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "carom/laws/normal_force/collision.h"
#include "carom/laws/normal_force/damping_ratio.h"
#include "carom/laws/normal_force/hysteretic.h"
#include "carom/laws/normal_force/registry.h"

namespace carom {
namespace {

LawParameters with_restitution(double c) {
  LawParameters given;
  given.set("restitution", c);
  return given;
}

TEST(NormalForceOracles, EffectiveRestitutionOfTheHystereticFamily) {
  struct Row {
    const char* law;
    std::vector<std::pair<double, double>> table;
  };
  const Row rows[] = {
      {"hunt-crossley",
       {{0.1, 0.515832616400396},
        {0.2, 0.546854050657292},
        {0.3, 0.581288041808574},
        {0.4, 0.619736466081975},
        {0.5, 0.662962200001546},
        {0.6, 0.711950179577866},
        {0.7, 0.767999789078476},
        {0.8, 0.832869792265602},
        {0.85, 0.869343110347063},
        {0.9, 0.909015741349202},
        {0.93, 0.934551432763895},
        {0.98, 0.980391402984922},
        {1.0, 1.0}}},
      {"herbert-mcwhannell",
       {{0.1, 0.490697659633628},
        {0.2, 0.50077934286882},
        {0.3, 0.519966554943413},
        {0.4, 0.550308637329592},
        {0.5, 0.59362426004004},
        {0.6, 0.651073234211139},
        {0.7, 0.722682649087923},
        {0.8, 0.806980066184989},
        {0.85, 0.85298469538543},
        {0.9, 0.900892985676143},
        {0.93, 0.930307516683047},
        {0.98, 0.98000719773854},
        {1.0, 1.0}}},
      {"lee-wang",
       {{0.1, 0.686663439055472},
        {0.2, 0.711950179577866},
        {0.3, 0.738995319529823},
        {0.4, 0.767999789078476},
        {0.5, 0.799198782193568},
        {0.6, 0.832869792265602},
        {0.7, 0.869343110347063},
        {0.8, 0.909015741349202},
        {0.85, 0.930198588667942},
        {0.9, 0.952370152820406},
        {0.93, 0.966179707503989},
        {0.98, 0.990098912841308},
        {1.0, 1.0}}},
      {"lankarani-nikravesh",
       {{0.1, 0.66526540675515},
        {0.2, 0.67226248896152},
        {0.3, 0.684224605749448},
        {0.4, 0.701634727673501},
        {0.5, 0.725241114010197},
        {0.6, 0.756148680659448},
        {0.7, 0.795972595365329},
        {0.8, 0.847102279787616},
        {0.85, 0.877974839997949},
        {0.9, 0.913176677805581},
        {0.93, 0.936698934408347},
        {0.98, 0.980583696402296},
        {1.0, 1.0}}},
      {"gonthier",
       {{0.1, 0.100989774217969},
        {0.2, 0.204609052278901},
        {0.3, 0.304224863917253},
        {0.4, 0.397787086328784},
        {0.5, 0.487741256015349},
        {0.6, 0.577276018882959},
        {0.7, 0.669581319748305},
        {0.8, 0.767999789078476},
        {0.85, 0.820684186317358},
        {0.9, 0.876435423861755},
        {0.93, 0.911636251180002},
        {0.98, 0.973766080353878},
        {1.0, 1.0}}},
      {"flores",
       {{0.1, 0.0694442251515404},
        {0.2, 0.155540020257341},
        {0.3, 0.256207906679824},
        {0.4, 0.362872318508325},
        {0.5, 0.47044477932674},
        {0.6, 0.577276018882959},
        {0.7, 0.683184199730684},
        {0.8, 0.788539125907065},
        {0.85, 0.841186140178023},
        {0.9, 0.893920692663378},
        {0.93, 0.925639095317511},
        {0.98, 0.978694106175143},
        {1.0, 1.0}}},
      {"hu-guo",
       {{0.1, 0.0740735323633638},
        {0.2, 0.165595947788026},
        {0.3, 0.270658458564543},
        {0.4, 0.379646382208992},
        {0.5, 0.487741256015349},
        {0.6, 0.59362426004004},
        {0.7, 0.697296968060859},
        {0.8, 0.799198782193568},
        {0.85, 0.849662134297099},
        {0.9, 0.899899943072231},
        {0.93, 0.929965689637264},
        {0.98, 0.979999199977985},
        {1.0, 1.0}}},
      {"gharib-hurmuzlu",
       {{0.1, 0.0999816247529439},
        {0.2, 0.196980245280519},
        {0.3, 0.281876723013569},
        {0.4, 0.352378666189347},
        {0.5, 0.410719686061039},
        {0.6, 0.459490566158869},
        {0.7, 0.50077934286882},
        {0.8, 0.536160360182188},
        {0.85, 0.552016023945435},
        {0.9, 0.566811974767757},
        {0.93, 0.57522432684029},
        {0.98, 0.588533741690285},
        {1.0, 0.59362426004004}}},
  };
  for (const Row& row : rows)
    for (const auto& [nominal, effective] : row.table)
      EXPECT_NEAR(normal_law(row.law).effective_restitution(nominal), effective, 1e-13 * effective)
          << row.law << " at " << nominal;
}

TEST(NormalForceOracles, ExactLambda) {
  constexpr double kTable[][2] = {
      {0.1, 9.99815939749567},
      {0.2, 4.91916671579079},
      {0.3, 3.08708198112962},
      {0.4, 2.08249816414701},
      {0.5, 1.43275053327138},
      {0.6, 0.974871710813265},
      {0.7, 0.634828281266417},
      {0.8, 0.373146203365054},
      {0.85, 0.26400940608341},
      {0.9, 0.166481950685308},
      {0.93, 0.112843810720311},
      {0.98, 0.030610995535135},
      {1.0, 0.0},
  };
  for (const auto& [restitution, lambda] : kTable) {
    EXPECT_NEAR(hysteretic::exact_lambda(restitution), lambda, 1e-13 * lambda) << restitution;
    EXPECT_NEAR(hysteretic::restitution(lambda), restitution, 1e-13) << lambda;
  }
}

TEST(NormalForceOracles, ForcesAtOneInstant) {
  struct Row {
    const char* law;
    double compressing, expanding;
  };
  constexpr Row kRows[] = {
      {"hunt-crossley", 540.0129142590284, 512.3874058560087},
      {"herbert-mcwhannell", 540.9747393724291, 511.4255807426081},
      {"lee-wang", 533.1065371582736, 519.2937829567636},
      {"lankarani-nikravesh", 539.5294678619756, 512.8708522530616},
      {"gonthier", 545.310278773586, 507.0900413414512},
      {"flores", 542.0427455216159, 510.35757459342125},
      {"hu-guo", 541.0525839301098, 511.3477361849273},
      {"gharib-hurmuzlu", 667.651815986959, 384.7485041280781},
  };
  const double stiffness = 526200160.0575186, depth = 0.0001;
  for (const Row& row : kRows) {
    NormalInput input = normal_input(normal_law(row.law), with_restitution(0.93));
    input.stiffness = stiffness;
    input.approach_speed = 2.0;
    const NormalForce force = normal_law(row.law).prepare(input);
    EXPECT_NEAR(force.evaluate(depth, 0.5).force, row.compressing, 1e-14 * row.compressing) << row.law;
    EXPECT_NEAR(force.evaluate(depth, -0.5).force, row.expanding, 1e-14 * row.expanding) << row.law;
    EXPECT_NEAR(force.evaluate(depth, 0.0).force, 526.2001600575186, 1e-12) << row.law;
  }
}

TEST(NormalForceOracles, TsujiWithTheClamp) {
  struct Row {
    double restitution, alpha_without_clamp, restitution_of_that, alpha;
  };
  constexpr Row kRows[] = {
      {0.1, 1.3218628408155206, 0.25272937958768893, 2.7798525436686936},
      {0.3, 0.8001928700384295, 0.3971404998854832, 1.1118610876384707},
      {0.5, 0.48176925776458657, 0.5502831696271158, 0.5708136787819901},
      {0.7, 0.25224736418728105, 0.7182013610075204, 0.2732804839063446},
      {0.85, 0.11552041572537901, 0.854557554109965, 0.1195825759176804},
      {0.9, 0.0749495307006594, 0.9020260687170141, 0.07661932568916274},
      {0.93, 0.051639325153998564, 0.930992865065867, 0.052421345034522684},
      {0.98, 0.014379233026619014, 0.9800810564246722, 0.014438584207226816},
  };
  for (const Row& row : kRows) {
    EXPECT_NEAR(clamped_restitution(row.alpha_without_clamp / std::sqrt(5.0)), row.restitution_of_that, 1e-14);
    const NormalInput input = normal_input(kTsujiLaw, with_restitution(row.restitution));
    EXPECT_NEAR(input.constant, row.alpha, 1e-13 * row.alpha) << row.restitution;
  }
}

TEST(NormalForceOracles, KuwabaraKonoByIntegratingTheCollision) {
  constexpr double kTable[][2] = {
      {0.001, 0.99884736}, {0.01, 0.98854744}, {0.05, 0.94439678}, {0.1, 0.89285888},
      {0.2, 0.80096547},   {0.5, 0.5952515},   {1.0, 0.3939306},
  };
  for (const auto& [beta, restitution] : kTable) {
    LawParameters given;
    given.set("relaxation_time", beta);
    NormalInput input = normal_input(kKuwabaraKonoLaw, given);
    input.stiffness = 1.0;
    input.reduced_mass = 1.0;
    const NormalForce force = kKuwabaraKonoLaw.prepare(input);
    // The table has seven digits, rounded to eight.
    EXPECT_NEAR(two_body_collision(force, {1.0, 1.0}).restitution, restitution, 6e-8) << beta;
  }
  // e = 1 − C₁β + (3/5) C₁²β² without the clamp, which adds about 0.25 β^{5/2}.
  const double c1 = 1.1534488580952889;
  for (const double beta : {1e-3, 1e-4}) {
    const NormalForce force{1.0, 1.5, beta, 0.5};
    EXPECT_NEAR(two_body_collision(force, {1.0, 1.0}).restitution, 1.0 - c1 * beta + 0.6 * c1 * c1 * beta * beta,
                0.3 * std::pow(beta, 2.5));
  }
}

TEST(NormalForceOracles, HertzCollisions) {
  struct Row {
    const char* name;
    double mass, stiffness, speed, depth, duration, force;
  };
  constexpr Row kRows[] = {
      {"pool ball-ball 6 m/s", 0.085, 526200160.0575186, 6.0, 0.0005553824927929171, 0.00027244058480763124,
       6887.145435148258},
      {"pool ball on plane 1 m/s", 0.17, 744159402.8762362, 1.0, 0.0001521518314350325, 0.0004478247097122867,
       1396.6312333922556},
      {"unit m=K=v=1", 1.0, 1.0, 1.0, 1.0933620739432781, 3.218065459719043, 1.143262629818316},
      {"steel R=.02 pair 1 m/s", 0.1306902543893354, 15164835164.835165, 1.0, 4.1013441101020146e-05,
       0.00012071384341639549, 3983.1531712808624},
  };
  for (const Row& row : kRows) {
    const NormalForce force{row.stiffness, 1.5, 0.0, 1.5};
    const CollisionOutcome outcome = two_body_collision(force, {row.mass, row.speed});
    EXPECT_NEAR(outcome.restitution, 1.0, 1e-12) << row.name;
    EXPECT_NEAR(outcome.greatest_depth / row.depth, 1.0, 1e-12) << row.name;
    EXPECT_NEAR(outcome.duration / row.duration, 1.0, 1e-12) << row.name;
    EXPECT_NEAR(force.evaluate(row.depth, 0.0).force / row.force, 1.0, 1e-14) << row.name;
    EXPECT_NEAR(force.stored(row.depth) / (0.5 * row.mass * row.speed * row.speed), 1.0, 1e-14) << row.name;
  }
}

TEST(NormalForceOracles, GreatestDepthOfTheHystereticFamily) {
  constexpr double kTable[][2] = {
      {0, 1.0933620739432781}, {0.1, 1.065708624609575}, {0.5, 0.9777703257170774},
      {1, 0.8993899921196006}, {2, 0.7949076199715883},
  };
  for (const auto& [lambda, depth] : kTable) {
    NormalInput input;
    input.stiffness = input.reduced_mass = input.approach_speed = 1.0;
    EXPECT_NEAR(hysteretic::greatest_depth(input, lambda), depth, 1e-15 * 2) << lambda;
    input.constant = lambda;
    EXPECT_NEAR(two_body_collision(hysteretic::prepare(input), {1.0, 1.0}).greatest_depth, depth, 1e-12) << lambda;
  }
}

}  // namespace
}  // namespace carom
