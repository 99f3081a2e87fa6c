#include "carom/base/archive.h"

#include "carom/base/error.h"

namespace carom {

namespace {

std::uint32_t mark_of(std::string_view name) {
  std::uint32_t mark = 2166136261U;
  for (const char letter : name) mark = (mark ^ static_cast<unsigned char>(letter)) * 16777619U;
  return mark;
}

}  // namespace

void Archive::refuse(const std::string& reason) {
  throw InputError(Kind::file, "checkpoint", "the checkpoint cannot be read: " + reason);
}

void Archive::bytes(void* data, std::size_t count) {
  if (count == 0) return;
  if (!loads_) {
    const auto* const first = static_cast<const std::byte*>(data);
    written_.insert(written_.end(), first, first + count);
    return;
  }
  if (count > left_.size()) refuse("it ends too early");
  std::memcpy(data, left_.data(), count);
  left_ = left_.subspan(count);
}

std::size_t Archive::count(std::size_t now) {
  std::uint64_t number = now;
  one(number);
  if (loads_ && number > left_.size()) refuse("a list is longer than what is left");
  return static_cast<std::size_t>(number);
}

void Archive::section(std::string_view name) {
  const std::uint32_t expected = mark_of(name);
  std::uint32_t mark = expected;
  one(mark);
  if (mark != expected) refuse("the part '" + std::string(name) + "' is not where it belongs");
}

void Archive::finish() const {
  if (!left_.empty()) refuse(std::to_string(left_.size()) + " bytes are left over");
}

}  // namespace carom
