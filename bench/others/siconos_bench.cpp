/// A ball that bounces without loss in Siconos (siconos_bounce.cpp says how), as 'bouncing sphere' of 'event'.

#include <fmt/format.h>

#include "others/siconos_bounce.h"
#include "report.h"

int main(int count, char** words) {
  using namespace carom::bench;
  begin("siconos", count, words);
  const SiconosBounces bounces = siconos_bounces(quick() ? 2000 : 20000);
  tell("bouncing sphere", bounces.rate, "impacts/s", Better::more);
  tell("bouncing sphere: its energy, relative change", bounces.energy_change, "", Better::less);
  fmt::print("bouncing sphere: {:.3g} impacts/s; its energy, relative change {:.2e}\n", bounces.rate,
             bounces.energy_change);
  return 0;
}
