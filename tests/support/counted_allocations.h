#pragma once
/// Counts what a program takes from the heap, by replacing operator new in it: for one source per program.

#include <atomic>
#include <cstdlib>
#include <new>

namespace carom::test {
inline std::atomic<long> allocations{0};
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // both operators are replaced below
#endif

void* operator new(std::size_t size) {
  ++carom::test::allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
