// libFuzzer target: any bytes as an impact problem. Run with the stored corpus:
//   problem_file_fuzz -max_len=4096 -dict=tests/fuzz/problem_file.dict NEW_CORPUS tests/fuzz/corpus
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/feed_problem_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  carom::fuzz::feed_problem_file({reinterpret_cast<const char*>(data), size});
  return 0;
}
