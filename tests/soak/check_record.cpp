/// Looks at a record: soak_check RUN.h5 prints one JSON object. Exit 0: in order. Exit 1: not, `complaints` says why.
/// Exit 3: the scene has what the check does not know. Exit 2: the file cannot be read.

#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>

#include "soak/record/findings.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: soak_check RUN.h5\n";
    return 2;
  }
  try {
    const carom::soak::Findings found = carom::soak::find_faults(carom::soak::read_recorded_run(arguments[1]));
    const nlohmann::json report{{"overlap", found.overlap},   {"energy", found.energy},
                                {"book", found.book},         {"created", found.created},
                                {"joints", found.joints},     {"at_rest", found.at_rest},
                                {"floating", found.floating}, {"complaints", found.complaints}};
    std::cout << report.dump() << "\n";
    return found.complaints.empty() ? 0 : 1;
  } catch (const carom::soak::NotUnderstood& unknown) {
    std::cerr << "not understood: " << unknown.what() << "\n";
    return 3;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 2;
  }
}
