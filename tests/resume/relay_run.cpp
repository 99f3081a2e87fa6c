/// Hands runs of scene files on, for tools/soak: prints what differs from a run in one go. Exit 1 where something does.
///
///     relay_run SEED [--events N] [--handovers N] SCENE...

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "resume/relay.h"

int main(int count, char** arguments) {
  carom::test::Relay relay;
  bool all_same = true;
  if (count < 3) return 2;
  const auto seed = static_cast<std::uint64_t>(std::atoll(arguments[1]));
  for (int k = 2; k < count; ++k) {
    const std::string word = arguments[k];
    if ((word == "--events" || word == "--handovers") && k + 1 < count) {
      (word == "--events" ? relay.events : relay.most_handovers) = std::atoi(arguments[++k]);
      continue;
    }
    try {
      const std::string difference = carom::test::relay_difference(carom::Scene::read(word), seed, relay);
      if (difference.empty()) continue;
      all_same = false;
      std::printf("%s: differs in %s\n", word.c_str(), difference.c_str());
    } catch (const std::exception& error) {
      all_same = false;
      std::printf("%s: %s\n", word.c_str(), error.what());
    }
  }
  return all_same ? 0 : 1;
}
