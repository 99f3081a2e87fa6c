#pragma once
/// Memory that will be read soon, asked for now, so that it is at hand then. Changes nothing but the time that takes.

#include <cstddef>

namespace carom {

inline constexpr std::size_t kCacheLine = 64;

/// These many bytes from an address on.
inline void prefetch(const void* from, std::size_t bytes) {
  const char* const first = static_cast<const char*>(from);
  for (std::size_t at = 0; at < bytes; at += kCacheLine) __builtin_prefetch(first + at);
  if (bytes > 0) __builtin_prefetch(first + bytes - 1);
}

/// The elements of a vector.
template <class Vector>
void prefetch_elements(const Vector& vector) {
  prefetch(vector.data(), vector.size() * sizeof(vector[0]));
}

}  // namespace carom
