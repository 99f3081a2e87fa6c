// libFuzzer target: any bytes as a scene. Run with the stored corpus:
//   scene_file_fuzz -max_len=4096 -dict=tests/fuzz/scene_file.dict NEW_CORPUS tests/fuzz/corpus
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/feed_scene_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  carom::fuzz::feed_scene_file({reinterpret_cast<const char*>(data), size});
  return 0;
}
