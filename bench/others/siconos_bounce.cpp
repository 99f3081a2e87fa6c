/// The event-driven strategy of Siconos with LSODAR, Newton's law of impact.

#include "others/siconos_bounce.h"

#include <time.h>
#include <SiconosKernel.hpp>

#include <cmath>

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

SiconosBounces siconos_bounces(int impacts) {
  constexpr double kGravity = 9.81, kMass = 1.0, kHeight = 1.0, kRadius = 0.1;
  const double duration = std::sqrt(2.0 * kHeight / kGravity) * 2.0 * impacts;
  auto position = std::make_shared<SiconosVector>(1), velocity = std::make_shared<SiconosVector>(1);
  (*position)(0) = kHeight + kRadius;
  auto mass = std::make_shared<SimpleMatrix>(1, 1);
  (*mass)(0, 0) = kMass;
  auto ball = std::make_shared<LagrangianLinearTIDS>(position, velocity, mass);
  auto weight = std::make_shared<SiconosVector>(1);
  (*weight)(0) = -kMass * kGravity;
  ball->setFExtPtr(weight);
  auto normal = std::make_shared<SimpleMatrix>(1, 1);
  (*normal)(0, 0) = 1.0;
  auto offset = std::make_shared<SiconosVector>(1);
  (*offset)(0) = -kRadius;
  auto floor = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(1.0),
                                             std::make_shared<LagrangianLinearTIR>(normal, offset));
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0.0, duration);
  model->insertDynamicalSystem(ball);
  model->link(floor, ball);
  auto run = std::make_shared<EventDriven>(model, std::make_shared<TimeDiscretisation>(0.0, duration / 2.0));
  run->insertIntegrator(std::make_shared<LsodarOSI>());
  run->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_IMPACT);
  run->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
  run->setToleranceED(1e-8);  // its own is below what LSODAR finds events to
  run->initialize();
  run->setPrintStat(false);
  int seen = 0;
  const double start = cpu_seconds();
  while (run->hasNextEvent()) {
    run->advanceToEvent();
    if (run->eventsManager()->nextEvent()->getType() == NS_EVENT) ++seen;
    run->processEvents();
  }
  const double seconds = cpu_seconds() - start;
  const double v = (*ball->velocity())(0), z = (*ball->q())(0) - kRadius;
  return {seen / seconds, std::abs((0.5 * v * v + kGravity * z) / (kGravity * kHeight) - 1.0)};
}
