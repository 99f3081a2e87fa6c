#pragma once
/// The state of objects as bytes, and back: one function per class serves both ways, so that they cannot differ.
///
///     void Clock::transfer(Archive& archive) {
///       auto& [time, ticks, scratch] = *this;  // a new member does not compile until somebody has thought of it here
///       archive(time, ticks);                  // scratch is computed anew
///     }
///     Archive out;                  Archive in(bytes);
///     out(clock);                   in(clock);
///     bytes = out.take();           in.finish();
///
/// Numbers keep every bit. A class takes part by a member transfer(Archive&), or by a function transfer(Archive&, T&)
/// in its namespace; numbers, enumerations, texts, vectors and matrices of fixed size, and the containers of the
/// standard library are known. What is shared by several pointers is stored once and is shared again.
///
/// Whatever does not fit while it is read is an InputError (file). Sizes are checked against what is left, so that
/// damaged bytes do not ask for memory; that they are not damaged is for a checksum around them to say.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "carom/base/index.h"

namespace carom {

class Archive {
 public:
  /// Takes objects in.
  Archive() = default;
  /// Gives objects back; the bytes outlive it.
  explicit Archive(std::span<const std::byte> bytes) : loads_(true), left_(bytes) {}

  [[nodiscard]] bool loads() const { return loads_; }
  template <class... Values>
  void operator()(Values&... values) {
    (one(values), ...);
  }
  /// A name between parts, so that bytes that were written for other parts are noticed.
  void section(std::string_view name);
  /// The bytes written so far.
  [[nodiscard]] std::vector<std::byte> take() { return std::move(written_); }
  /// All bytes have to be read. Throws InputError.
  void finish() const;

  /// What several may point to; `make()` returns a new object to be filled.
  template <class T, class Make>
  void shared(std::shared_ptr<const T>& pointer, const Make& make);
  /// For other things than memory that can be filled anew: throws InputError.
  [[noreturn]] static void refuse(const std::string& reason);

 private:
  void bytes(void* data, std::size_t count);
  /// A number of elements, each of at least one byte.
  std::size_t count(std::size_t now);
  template <class T>
  void one(T& value);
  template <class Range>
  void sequence(Range& range);
  template <class Matrix>
  void growing_matrix(Matrix& matrix);
  template <class... Choices>
  void variant(std::variant<Choices...>& value);
  template <class Map>
  void sorted_map(Map& map);

  bool loads_ = false;
  std::vector<std::byte> written_;
  std::span<const std::byte> left_;
  std::unordered_map<const void*, std::uint64_t> numbers_;  ///< of shared objects, while writing
  std::vector<std::shared_ptr<const void>> known_;          ///< these, while reading
};

// --------------------------------------------------------------------------------------------------- implementation

namespace archive_details {

template <class T>
inline constexpr bool kPlain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <class T, template <class...> class Pattern>
struct IsOf : std::false_type {};
template <class... Parts, template <class...> class Pattern>
struct IsOf<Pattern<Parts...>, Pattern> : std::true_type {};

template <class T>
concept GrowingSequence = requires(T& value) {
  typename T::value_type;
  value.resize(std::size_t{1});
  value.data();
};

template <class T>
concept FixedMatrix = requires(T& value) {
  typename T::Scalar;
  requires T::SizeAtCompileTime >
  0;
  value.data();
};

template <class T>
concept GrowingMatrix = requires(T& value) {
  typename T::Scalar;
  requires T::SizeAtCompileTime < 0;
  value.rows();
  value.cols();
};

template <class T>
concept HasCoefficients = requires(T& value) {
  value.coeffs().data();
  value.coeffs().size();
};

template <class T>
struct IsIndex : std::false_type {};
template <class Kind>
struct IsIndex<Index<Kind>> : std::true_type {};

template <class T>
struct IsArray : std::false_type {};
template <class T, std::size_t size>
struct IsArray<std::array<T, size>> : std::true_type {};

}  // namespace archive_details

template <class T>
void Archive::one(T& value) {
  using namespace archive_details;
  static_assert(!std::is_pointer_v<T>, "a pointer is no state");
  if constexpr (kPlain<T>) {
    bytes(&value, sizeof value);
  } else if constexpr (requires { value.transfer(*this); }) {
    value.transfer(*this);
  } else if constexpr (IsIndex<T>::value) {
    int number = value;
    one(number);
    value = number;
  } else if constexpr (std::is_array_v<T> || IsArray<T>::value) {
    for (auto& element : value) one(element);
  } else if constexpr (FixedMatrix<T>) {
    bytes(value.data(), sizeof(typename T::Scalar) * static_cast<std::size_t>(T::SizeAtCompileTime));
  } else if constexpr (GrowingMatrix<T>) {
    growing_matrix(value);
  } else if constexpr (HasCoefficients<T>) {
    bytes(value.coeffs().data(), sizeof(*value.coeffs().data()) * static_cast<std::size_t>(value.coeffs().size()));
  } else if constexpr (GrowingSequence<T>) {
    sequence(value);
  } else if constexpr (IsOf<T, std::optional>::value) {
    bool there = value.has_value();
    one(there);
    if (loads_) value.reset();
    if (loads_ && there) value.emplace();
    if (there) one(*value);
  } else if constexpr (IsOf<T, std::pair>::value) {
    one(value.first);
    one(value.second);
  } else if constexpr (IsOf<T, std::variant>::value) {
    variant(value);
  } else if constexpr (IsOf<T, std::map>::value || IsOf<T, std::unordered_map>::value) {
    sorted_map(value);
  } else {
    transfer(*this, value);
  }
}

template <class Range>
void Archive::sequence(Range& range) {
  const std::size_t size = count(range.size());
  if (loads_) {
    range.clear();
    range.resize(size);
  }
  if constexpr (archive_details::kPlain<typename Range::value_type>) {
    if (size > left_.size() / sizeof(typename Range::value_type) && loads_)
      refuse("a list is longer than what is left");
    bytes(range.data(), size * sizeof(typename Range::value_type));
  } else {
    for (auto& element : range) one(element);
  }
}

template <class Matrix>
void Archive::growing_matrix(Matrix& matrix) {
  const std::size_t rows = count(static_cast<std::size_t>(matrix.rows()));
  const std::size_t columns = rows == 0 ? 0 : count(static_cast<std::size_t>(matrix.cols()));
  if (loads_) {
    if (columns > 0 && rows > left_.size() / sizeof(typename Matrix::Scalar) / columns)
      refuse("a matrix is larger than what is left");
    matrix.resize(static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(columns));
  }
  bytes(matrix.data(), rows * columns * sizeof(typename Matrix::Scalar));
}

template <class... Choices>
void Archive::variant(std::variant<Choices...>& value) {
  auto which = static_cast<std::uint8_t>(value.index());
  one(which);
  if (which >= sizeof...(Choices)) refuse("a kind is unknown");
  if (loads_) {
    std::uint8_t index = 0;
    (void)((index++ == which ? (value.template emplace<Choices>(), true) : false) || ...);
  }
  std::visit(
      [&](auto& choice) {
        if constexpr (!std::is_empty_v<std::remove_reference_t<decltype(choice)>>) this->one(choice);
      },
      value);
}

/// By ascending keys: the same state has the same bytes.
template <class Map>
void Archive::sorted_map(Map& map) {
  std::size_t size = count(map.size());
  if (!loads_) {
    const std::map<typename Map::key_type, typename Map::mapped_type*> sorted = [&map] {
      std::map<typename Map::key_type, typename Map::mapped_type*> found;
      for (auto& [key, value] : map) found.emplace(key, &value);
      return found;
    }();
    for (const auto& [key, value] : sorted) {
      auto copy = key;
      one(copy);
      one(*value);
    }
    return;
  }
  map.clear();
  for (; size > 0; --size) {
    typename Map::key_type key{};
    one(key);
    one(map[key]);
  }
}

template <class T, class Make>
void Archive::shared(std::shared_ptr<const T>& pointer, const Make& make) {
  // 0: none; otherwise its number, counted from 1 in the order in which they come up first.
  std::uint64_t number = 0;
  bool fresh = false;
  if (!loads_ && pointer != nullptr) {
    const auto [found, added] = numbers_.try_emplace(pointer.get(), numbers_.size() + 1);
    number = found->second;
    fresh = added;
    if (fresh) known_.push_back(pointer);  // so that nothing else gets its address meanwhile
  }
  one(number);
  if (loads_) {
    if (number > known_.size() + 1) refuse("something shared is missing");
    fresh = number == known_.size() + 1;
    pointer.reset();
    if (number > 0 && !fresh) pointer = std::static_pointer_cast<const T>(known_[number - 1]);
    if (fresh) {
      const std::shared_ptr<T> made = make();
      known_.push_back(made);
      one(*made);
      pointer = made;
    }
  } else if (fresh) {
    one(const_cast<T&>(*pointer));  // is only read
  }
}

}  // namespace carom
