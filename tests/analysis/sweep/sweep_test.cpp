#include "carom/analysis/sweep/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/analysis/sweep/summary_number.h"
#include "carom/base/error.h"
#include "carom/base/json.h"
#include "carom/laws/impact/impact_solver.h"
#include "carom/mechanics/impact_problem.h"
#include "carom/simulation/simulation.h"
#include "support/places.h"

namespace carom {
namespace {

constexpr double kGravity = 10.0;

/// A ball that falls from 1 m onto a floor, e = ½.
Scene falling_ball() {
  return Scene::parse(R"(format = 1
[world]
gravity = [0, 0, -10]
[run]
duration = 1
[[material]]
name = "m"
[[pair]]
materials = ["m", "m"]
restitution = 0.5
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 2
material = "m"
position = [0, 0, 1.1]
[[plane]]
name = "floor"
normal = [0, 0, 1]
material = "m"
)");
}

SweepOptions options(std::vector<std::string> vary, std::vector<std::string> measures) {
  SweepOptions made;
  made.vary = std::move(vary);
  made.measures = std::move(measures);
  return made;
}

Sweep::Row only_row(const Sweep& sweep, std::size_t point) {
  const std::vector<Sweep::Row> rows = sweep.run(point);
  EXPECT_EQ(rows.size(), 1u);
  return rows.front();
}

InputError sweep_error(const Scene& scene, const SweepOptions& wanted) {
  try {
    const Sweep sweep(scene, wanted);
  } catch (const InputError& error) {
    return error;
  }
  ADD_FAILURE() << "the sweep was made";
  return {Kind::usage, "", ""};
}

TEST(Sweep, MeasuresTheClosedFormOfABounce) {
  const Sweep sweep(falling_ball(), options({"pair.0.restitution=lin(0.2,1,5)"},
                                            {"events.impacts", "position.ball.z", "speed=velocity.ball.speed",
                                             "energy.kinetic/body.ball.mass", "body.ball.mass"}));
  ASSERT_EQ(sweep.size(), 5u);
  EXPECT_EQ(sweep.columns(),
            (std::vector<std::string>{"pair.0.restitution", "events.impacts", "position.ball.z", "speed",
                                      "energy.kinetic/body.ball.mass", "body.ball.mass", "stop"}));
  const double fall = std::sqrt(2.0 / kGravity);
  for (std::size_t i = 1; i < 5; ++i) {  // e ≥ 0.4: at most one further impact within the second
    const Sweep::Row row = only_row(sweep, i);
    const double e = row[0].number();
    double since = 1.0 - fall, up = e * fall * kGravity;
    double impacts = 1;
    while (since > 2 * up / kGravity) {
      since -= 2 * up / kGravity;
      up *= e;
      ++impacts;
    }
    EXPECT_EQ(row[1].number(), impacts);
    EXPECT_NEAR(row[2].number(), 0.1 + up * since - 0.5 * kGravity * since * since, 1e-9);
    EXPECT_NEAR(row[3].number(), std::abs(up - kGravity * since), 1e-9);
    EXPECT_NEAR(row[4].number(), 0.5 * row[3].number() * row[3].number(), 1e-9);
    EXPECT_EQ(row[5].number(), 2.0);
    EXPECT_EQ(row[6].text(), "duration");
  }
}

TEST(Sweep, APointHasTheBitsOfASimulation) {
  const Sweep sweep(falling_ball(),
                    options({"body.ball.position.2=lin(0.5,1.7,4)", "body.ball.velocity.0=0,0.3"},
                            {"position.ball.x", "position.ball.z", "velocity.ball.z", "energy.final", "time.model",
                             "energy.balance_error", "bodies.ball.position.2", "guarantee"}));
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    Scene scene = falling_ball();
    const std::vector<Value> values = sweep.values(i);
    scene.set("body.ball.position.2", values[0]);
    scene.set("body.ball.velocity.0", values[1]);
    Simulation simulation(scene);
    const RunResult result = simulation.run();
    const BodyState& ball = result.final_state.bodies[0];
    const Sweep::Row row = only_row(sweep, i);
    EXPECT_EQ(row[2].number(), ball.position.x());
    EXPECT_EQ(row[3].number(), ball.position.z());
    EXPECT_EQ(row[4].number(), ball.velocity.z());
    EXPECT_EQ(row[5].number(), result.energy.now.total());
    EXPECT_EQ(row[6].number(), result.final_state.time);
    EXPECT_EQ(row[7].number(), simulation.summary().balance_error());
    EXPECT_EQ(row[8].number(), ball.position.z());
    EXPECT_EQ(row[9].text(), "proven");
  }
}

/// Every number of the summary by its path.
void add_numbers(const Json& json, const std::string& path, std::vector<std::pair<std::string, double>>& numbers) {
  if (json.is_number()) numbers.emplace_back(path, json.number());
  if (!json.is_object()) return;
  for (const Json::Field& field : json.fields())
    add_numbers(field.value, path.empty() ? field.key : path + "." + field.key, numbers);
}

TEST(Sweep, NumbersOfTheSummaryAreThoseOfItsJson) {
  Simulation simulation(falling_ball());
  simulation.run();
  const RunSummary summary = simulation.summary();
  std::vector<std::pair<std::string, double>> numbers;
  add_numbers(summary.to_json(), "", numbers);
  int known = 0;
  for (const auto& [path, number] : numbers) {
    const sweep::SummaryNumber direct = sweep::summary_number(path);
    if (direct == nullptr) continue;
    ++known;
    EXPECT_EQ(direct(summary), number) << path;
  }
  EXPECT_EQ(known, 14);
}

TEST(Sweep, AnIllegalPointIsARowWithItsReason) {
  const Sweep sweep(falling_ball(),
                    options({"body.ball.position.2=1.1,0.05,2", "body.ball.mass=1,-1"}, {"energy.final"}));
  EXPECT_EQ(only_row(sweep, 0)[3].text(), "duration");
  const Sweep::Row negative = only_row(sweep, 1);
  EXPECT_TRUE(negative[2].is_none());
  EXPECT_TRUE(negative[3].text().starts_with("out-of-range: body.ball.mass is -1")) << negative[3].text();
  EXPECT_TRUE(only_row(sweep, 2)[3].text().starts_with("overlap: ")) << only_row(sweep, 2)[3].text();
  EXPECT_EQ(only_row(sweep, 4)[3].text(), "duration");
}

TEST(Sweep, AWorkerGivesTheSameRowsInAnyOrder) {
  const Sweep sweep(falling_ball(), options({"body.ball.position.2=lin(0.05,2,20)"}, {"position.ball.z"}));
  Sweep::Worker worker = sweep.worker();
  std::vector<std::vector<Sweep::Row>> backwards(sweep.size());
  for (std::size_t i = sweep.size(); i-- > 0;) backwards[i] = worker.run(i);
  for (std::size_t i = 0; i < sweep.size(); ++i) EXPECT_EQ(sweep.run(i), backwards[i]);
}

TEST(Sweep, RowsAtEachImpactOfAPair) {
  SweepOptions wanted = options({"pair.0.restitution=0.5,0.8"},
                                {"time", "velocity.ball.z", "impact.rate_before", "impact.impulse", "events.impacts"});
  wanted.each = "impact:ball,floor";
  const Sweep sweep(falling_ball(), wanted);
  EXPECT_EQ(sweep.columns()[1], "index");
  const std::vector<Sweep::Row> rows = sweep.run(1);
  const double fall = std::sqrt(2.0 / kGravity);
  ASSERT_EQ(rows.size(), 1u);  // the second would be at fall(1 + 2e) = 1.16 s
  EXPECT_EQ(rows[0][1].integer(), 0);
  EXPECT_NEAR(rows[0][2].number(), fall, 1e-12);
  EXPECT_NEAR(rows[0][3].number(), 0.8 * fall * kGravity, 1e-12);
  EXPECT_NEAR(rows[0][4].number(), -fall * kGravity, 1e-12);
  EXPECT_NEAR(rows[0][5].number(), 2 * 1.8 * fall * kGravity, 1e-12);
  EXPECT_EQ(rows[0][6].number(), 1.0);
  ASSERT_EQ(sweep.run(0).size(), 2u);
  wanted.last = 1;
  const Sweep last(falling_ball(), wanted);
  ASSERT_EQ(last.run(0).size(), 1u);
  EXPECT_EQ(last.run(0)[0][1].integer(), 0);
  EXPECT_EQ(last.run(0)[0][2], sweep.run(0)[1][2]);
}

TEST(Sweep, APointWithoutImpactsHasARow) {
  SweepOptions wanted = options({"run.duration=0.1,1"}, {"time"});
  wanted.each = "impact";
  const std::vector<Sweep::Row> rows = Sweep(falling_ball(), wanted).run(0);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_TRUE(rows[0][1].is_none());
  EXPECT_TRUE(rows[0][2].is_none());
  EXPECT_EQ(rows[0][3].text(), "duration");
}

TEST(Sweep, RowsAtEachPeriod) {
  SweepOptions wanted = options({"body.ball.mass=1,2"}, {"time", "position.ball.z"});
  wanted.each = "period:0.05*body.ball.mass";
  wanted.from = 0.2;
  const Sweep sweep(falling_ball(), wanted);
  const std::vector<Sweep::Row> rows = sweep.run(1);
  ASSERT_EQ(rows.size(), 9u);  // 0.2, 0.3, … 1.0
  EXPECT_EQ(rows[0][2].number(), 2 * 0.1);
  EXPECT_NEAR(rows[0][3].number(), 1.1 - 0.5 * kGravity * 0.04, 1e-12);
}

TEST(Sweep, InstantsThatNoRunHasAreRowsWithTheirReason) {
  SweepOptions wanted = options({"run.duration=0.5,1"}, {"position.ball.z"});
  wanted.each = "period:1e-12";
  EXPECT_EQ(only_row(Sweep(falling_ball(), wanted), 1)[3].text(),
            "limit: 1e+12 rows at one point, at most 2000000 are kept; take fewer instants, or --last N");
  wanted.each = "impact";
  wanted.from = 0.7;
  const Sweep late(falling_ball(), wanted);
  EXPECT_EQ(only_row(late, 0)[3].text(), "out-of-range: --from is 0.7 s, but the run ends at 0.5 s");
  EXPECT_EQ(only_row(late, 1)[3].text(), "duration");
}

TEST(Sweep, NamesInQuotationMarksMayHoldAnything) {
  Scene scene = falling_ball();
  scene.set("body.ball.name", "a=b, (c");
  SweepOptions wanted = options({"body.0.mass=1,2"}, {R"(position."a=b, (c".z)"});
  wanted.each = R"(impact:"a=b, (c",floor)";
  const std::vector<Sweep::Row> rows = Sweep(scene, wanted).run(1);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0][0].integer(), 2);
  EXPECT_NEAR(rows[0][2].number(), 0.1, 1e-12);
}

TEST(Sweep, AGivenNameThatAnotherColumnHasIsRefused) {
  const auto complaint = [](const std::string& measure, const std::string& each) {
    SweepOptions wanted = options({"body.ball.mass=1,2"}, {measure});
    wanted.each = each;
    return sweep_error(falling_ball(), wanted).kind();
  };
  EXPECT_EQ(complaint("stop=energy.final", ""), Kind::duplicate_name);
  EXPECT_EQ(complaint("body.ball.mass=energy.final", ""), Kind::duplicate_name);
  EXPECT_EQ(complaint("index=energy.final", "impact"), Kind::duplicate_name);
  // Of a problem velocity.0 is varied before the impact and measured after it.
  EXPECT_EQ(Sweep(falling_ball(), options({"body.ball.mass=1,2"}, {"body.ball.mass"})).columns().size(), 3u);
}

TEST(Sweep, CountsFlagsOfTheAudit) {
  const Scene scene = Scene::read(test::scene_path("cradle"));
  const Sweep sweep(scene, options({"run.law=superposition,newton"}, {"still-approaching", "flags.energy-created"}));
  int flagged = 0;
  Scene superposed = scene;
  superposed.set("run.law", "superposition");
  Simulation simulation(superposed);
  simulation.on_event([&flagged](const EventRecord& event) {
    if (event.flags.has(Flag::still_approaching)) ++flagged;
  });
  simulation.run();
  ASSERT_GT(flagged, 0);
  EXPECT_EQ(only_row(sweep, 0)[1].number(), flagged);
  EXPECT_EQ(only_row(sweep, 1)[1].number(), 0.0);
  EXPECT_EQ(only_row(sweep, 1)[2].number(), 0.0);
}

TEST(Sweep, NamesThatDoNotExistAreUnderlined) {
  const Scene scene = falling_ball();
  const InputError path = sweep_error(scene, options({"body.bal.mass=1,2"}, {"energy.final"}));
  EXPECT_EQ(path.place().column, 1);
  EXPECT_EQ(path.place().length, 13);
  EXPECT_NE(std::string(path.what()).find("did you mean 'ball'"), std::string::npos) << path.what();
  EXPECT_EQ(sweep_error(scene, options({"body.ball.mas=1,2"}, {"energy.final"})).kind(), Kind::unknown_name);
  const InputError law = sweep_error(scene, options({"run.law=newton,poison"}, {"energy.final"}));
  EXPECT_EQ(law.kind(), Kind::unknown_name);
  EXPECT_EQ(law.place().column, 16);
  const InputError measure = sweep_error(scene, options({"body.ball.mass=1,2"}, {"energy.finl*2"}));
  EXPECT_EQ(measure.kind(), Kind::unknown_name);
  EXPECT_EQ(measure.place().length, 11);
  EXPECT_NE(std::string(measure.what()).find("energy.final"), std::string::npos) << measure.what();
  const InputError body = sweep_error(scene, options({"body.ball.mass=1,2"}, {"position.bll.z"}));
  EXPECT_NE(std::string(body.what()).find("did you mean 'ball'"), std::string::npos) << body.what();
  EXPECT_EQ(sweep_error(scene, options({"body.ball.mass=1,2"}, {"position.ball"})).kind(), Kind::unknown_name);
  EXPECT_EQ(sweep_error(scene, options({"body.ball.mass=1,2"}, {})).kind(), Kind::usage);
  EXPECT_EQ(sweep_error(scene, options({"body.ball.mass=1,2"}, {"time.model", "time.model"})).kind(),
            Kind::duplicate_name);
}

ImpactProblem ball_on_a_wall() {
  ImpactProblem problem;
  problem.metric = Matrix::Identity(2, 2);
  problem.velocity = Vector::Zero(2);
  problem.velocity << -1.0, 0.25;
  Contact wall;
  wall.name = "wall";
  wall.normal = Vector::Zero(2);
  wall.normal << 1.0, 0.0;
  problem.contacts.push_back(wall);
  return problem;
}

TEST(Sweep, SolvesImpactProblems) {
  const Sweep sweep(
      ball_on_a_wall(), "newton",
      options({"contacts.wall.restitution=lin(0,1,5)", "metric.0.0=1,4", "law=newton,poisson"},
              {"velocity.0", "impulses.wall", "energy.change", "law", "gap_rates.after.0", "metric.0.0"}));
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    const Sweep::Row row = only_row(sweep, i);
    const double e = row[0].number(), mass = row[1].number();
    EXPECT_NEAR(row[3].number(), e, 1e-14);
    EXPECT_NEAR(row[4].number(), mass * (1 + e), 1e-13);
    EXPECT_NEAR(row[5].number(), -0.5 * mass * (1 - e * e), 1e-13);
    EXPECT_EQ(row[6].text(), row[2].text());
    EXPECT_NEAR(row[7].number(), e, 1e-14);
    EXPECT_EQ(row[8].number(), mass);
    EXPECT_EQ(row[9].text(), "separated");
  }
}

TEST(Sweep, AMeasureThatNoOutcomeHasIsToldWhatThereIs) {
  ImpactProblem problem;
  problem.metric = Matrix::Identity(12, 12);
  problem.velocity = Vector::Ones(12);
  problem.contacts.resize(3);
  for (int i = 0; i < 3; ++i) problem.contacts[i].normal = Vector::Unit(12, i);
  try {
    const Sweep sweep(problem, "newton", options({"velocity.1=0,1"}, {"nonsense"}));
    FAIL() << "the sweep was made";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("a field of the outcome (velocity.0"), std::string::npos) << error.what();
  }
}

TEST(Sweep, AProblemThatIsNotWellPosedIsARowWithItsReason) {
  const Sweep sweep(ball_on_a_wall(), "newton", options({"metric.0.0=1,-1"}, {"velocity.0"}));
  EXPECT_EQ(only_row(sweep, 0)[2].text(), "separated");
  EXPECT_TRUE(only_row(sweep, 1)[2].text().starts_with("metric-not-positive-definite: "));
}

TEST(Sweep, DescriptionsTellSweepsApart) {
  const auto description = [](const Scene& scene, const SweepOptions& wanted) {
    return Sweep(scene, wanted).description();
  };
  const SweepOptions one = options({"body.ball.mass=1,2"}, {"energy.final"});
  Scene changed = falling_ball();
  changed.set("pair.0.restitution", 0.6);
  EXPECT_EQ(description(falling_ball(), one), description(falling_ball(), one));
  EXPECT_NE(description(falling_ball(), one), description(changed, one));
  EXPECT_NE(description(falling_ball(), one),
            description(falling_ball(), options({"body.ball.mass=1,3"}, {"energy.final"})));
}

TEST(Sweep, ImpactProblemsHaveTheSameRowsInBlocksAndOneByOne) {
  ImpactProblem problem;
  problem.metric = Matrix::Identity(2, 2);
  problem.velocity = Vector::Zero(2);
  problem.velocity[0] = 1.0;
  for (const double side : {1.0, -1.0}) {
    Contact wall;
    wall.normal = Vector::Zero(2);
    wall.normal << -0.5, side;
    problem.contacts.push_back(wall);
  }
  for (const char* const law : {"geometric", "newton"}) {
    SweepOptions options;
    options.vary = {"velocity.1=lin(-1,1,7)", "contacts.1.restitution=0.3,1,2"};
    options.measures = {"velocity.0", "speed=hypot(velocity.0,velocity.1)", "steps", "stop", "impulses.1"};
    const Sweep sweep(problem, law, options);
    std::vector<std::size_t> points(sweep.size());
    std::iota(points.begin(), points.end(), std::size_t{0});
    std::string together, apart;
    EXPECT_EQ(sweep.worker().append_lines(points, together), points.size());
    Sweep::Worker worker = sweep.worker();
    for (const std::size_t point : points) EXPECT_EQ(worker.append_lines({&point, 1}, apart), 1u);
    EXPECT_EQ(together, apart);
    EXPECT_EQ(std::count(together.begin(), together.end(), '\n'), static_cast<std::ptrdiff_t>(points.size()));
    EXPECT_NE(together.find("out-of-range: contacts.1.restitution is 2"), std::string::npos) << together;
    // Through rows of cells: the solver itself, which agrees to round-off.
    for (const std::size_t point : {0u, 9u, 18u}) {
      const Sweep::Row row = sweep.run(point).at(0);
      ImpactProblem same = problem;
      same.velocity[1] = row.at(0).number();
      same.contacts[1].restitution = row.at(1).number();
      const ImpactOutcome outcome = ImpactSolver().solve(same, impact_law(law));
      EXPECT_NEAR(row.at(2).number(), outcome.velocity[0], 1e-14);
    }
  }
}

}  // namespace
}  // namespace carom
