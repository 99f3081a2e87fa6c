#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace carom::test {

/// A film as the page sees it, by its own reader of the format: docs/film-format.md.
class DecodedFilm {
 public:
  explicit DecodedFilm(std::string bytes) : bytes_(std::move(bytes)) {
    EXPECT_EQ(bytes_.substr(0, 8), "CAROMFLM");
    EXPECT_EQ(unsigned_at(12), 2u);
    const std::size_t length = unsigned_at(8);
    EXPECT_EQ(length % 8, 0u);
    data_ = 16 + length;
    header_ = nlohmann::json::parse(bytes_.substr(16, length));
  }

  [[nodiscard]] const nlohmann::json& header() const { return header_; }

  /// Every type of number as doubles, assembled from single bytes.
  [[nodiscard]] std::vector<double> array(const std::string& name) const {
    const nlohmann::json& entry = header_.at("arrays").at(name);
    const auto type = entry.at("type").get<std::string>();
    const auto offset = entry.at("offset").get<std::size_t>();
    const std::size_t size = type == "f64" ? 8 : type == "u8" ? 1 : 4;
    EXPECT_EQ(offset % 8, 0u) << name;
    std::vector<double> values;
    for (std::size_t i = 0; i < entry.at("length").get<std::size_t>(); ++i) {
      values.push_back(number(type, data_ + offset + i * size, size));
    }
    return values;
  }

 private:
  [[nodiscard]] std::uint64_t raw(std::size_t place, std::size_t size) const {
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < size; ++k) {
      value |= std::uint64_t{static_cast<unsigned char>(bytes_.at(place + k))} << (8 * k);
    }
    return value;
  }
  [[nodiscard]] std::uint32_t unsigned_at(std::size_t place) const { return static_cast<std::uint32_t>(raw(place, 4)); }
  [[nodiscard]] double number(const std::string& type, std::size_t place, std::size_t size) const {
    const std::uint64_t bits = raw(place, size);
    if (type == "f64") {
      double value = 0.0;
      std::memcpy(&value, &bits, 8);
      return value;
    }
    const auto low = static_cast<std::uint32_t>(bits);
    if (type == "f32") {
      float value = 0.0F;
      std::memcpy(&value, &low, 4);
      return value;
    }
    return type == "i32" ? static_cast<std::int32_t>(low) : static_cast<double>(low);
  }

  std::string bytes_;
  std::size_t data_ = 0;
  nlohmann::json header_;
};

}  // namespace carom::test
