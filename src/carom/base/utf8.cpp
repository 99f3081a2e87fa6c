#include "carom/base/utf8.h"

#include <algorithm>
#include <array>
#include <span>

#include "carom/base/assert.h"

namespace carom {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// The common ranges of the Unicode tables (East Asian Width, general category Mn), enough for a caret to stand
// under the right character.
constexpr std::array<Range, 6> kCombining = {
    {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x1AB0, 0x1AFF}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};
constexpr std::array<Range, 9> kWide = {{{0x1100, 0x115F},
                                         {0x2E80, 0x303E},
                                         {0x3041, 0xA4CF},
                                         {0xAC00, 0xD7A3},
                                         {0xF900, 0xFAFF},
                                         {0xFE30, 0xFE6F},
                                         {0xFF00, 0xFF60},
                                         {0x1F300, 0x1FAFF},
                                         {0x20000, 0x3FFFD}}};

bool contains(std::span<const Range> ranges, char32_t code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [code](const Range& range) { return range.first <= code && code <= range.last; });
}

bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

}  // namespace

Utf8Character first_character(std::string_view text) {
  CAROM_ASSERT(!text.empty());
  const auto lead = static_cast<unsigned char>(text[0]);
  const Utf8Character invalid{lead, 1, false};
  const std::size_t length = sequence_length(lead);
  if (length == 0 || length > text.size()) return invalid;
  if (length == 1) return {lead, 1, true};

  constexpr std::array<unsigned char, 5> kLeadBits = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t code = lead & kLeadBits[length];
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80) return invalid;
    code = (code << 6) | (byte & 0x3F);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[length] || surrogate || code > 0x10FFFF) return invalid;
  return {code, length, true};
}

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    if (static_cast<unsigned char>(text[offset]) < 0x80) {
      ++offset;
      continue;
    }
    const Utf8Character character = first_character(text.substr(offset));
    if (!character.valid) return offset;
    offset += character.bytes;
  }
  return std::nullopt;
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t offset = 0; offset < text.size(); ++count) offset += first_character(text.substr(offset)).bytes;
  return count;
}

void append_utf8(std::string& text, char32_t code) {
  CAROM_ASSERT(code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF));
  const auto trailing = [code](int shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | (code >> 6));
    text += trailing(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | (code >> 12));
    text += trailing(6);
    text += trailing(0);
  } else {
    text += static_cast<char>(0xF0 | (code >> 18));
    text += trailing(12);
    text += trailing(6);
    text += trailing(0);
  }
}

int display_width(char32_t code) {
  if (is_control(code) || contains(kCombining, code)) return 0;
  return contains(kWide, code) ? 2 : 1;
}

std::string printable(std::string_view text, std::size_t most_characters) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string result;
  std::size_t count = 0;
  for (std::size_t offset = 0; offset < text.size(); ++count) {
    if (count == most_characters) return result + "...";
    const Utf8Character character = first_character(text.substr(offset));
    if (character.valid && !is_control(character.code)) {
      result += text.substr(offset, character.bytes);
    } else {
      result += "\\x";
      result += kDigits[(character.code >> 4) & 0xF];
      result += kDigits[character.code & 0xF];
    }
    offset += character.bytes;
  }
  return result;
}

}  // namespace carom
