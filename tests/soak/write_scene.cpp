/// Writes random scenes: soak_scene KIND SEED ENGINE prints one, soak_scene without arguments the names of the kinds.

#include <cstdlib>
#include <exception>
#include <iostream>

#include "soak/soak_scene.h"

int main(int count, char** arguments) {
  try {
    if (count == 1) {
      for (const std::string& kind : carom::test::soak_kinds()) std::cout << kind << "\n";
      return 0;
    }
    if (count != 4) {
      std::cerr << "usage: soak_scene [KIND SEED ENGINE]\n";
      return 2;
    }
    std::cout << carom::test::soak_scene(arguments[1], std::strtoull(arguments[2], nullptr, 10), arguments[3]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 2;
  }
}
