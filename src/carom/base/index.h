#pragma once
/// Numbers of things, one type for each kind, so that the number of a body is not mistaken for that of a material.
///
///     using BodyIndex = Index<struct BodyKind>;
///     Indexed<BodyIndex, Body> bodies;
///     for (const BodyIndex body : bodies.indices()) total += bodies[body].mass;
///
/// An index is made from a plain number and read as one where a file or a vector of numbers is at hand; two kinds do
/// not turn into each other unless one is a part of the other (IsPartOf).

#include <cstddef>
#include <type_traits>
#include <vector>

namespace carom {

/// Whether every thing of the kind `Part` is one of the kind `Whole` too, under the same number.
template <class Part, class Whole>
struct IsPartOf : std::false_type {};

template <class Kind>
class Index {
 public:
  constexpr Index() = default;
  constexpr Index(int value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  template <class Part>
  requires IsPartOf<Part, Kind>::value constexpr Index(Index<Part> part)
      : value_(part) {}  // NOLINT(google-explicit-constructor)
  constexpr explicit Index(std::size_t value) : value_(static_cast<int>(value)) {}

  constexpr operator int() const { return value_; }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] constexpr std::size_t slot() const { return static_cast<std::size_t>(value_); }
  constexpr Index& operator++() {
    ++value_;
    return *this;
  }

 private:
  int value_ = -1;
};

/// The indices from `first` to before `last`, in order.
template <class Which>
class IndexRange {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(Which at) : at_(at) {}
    constexpr Which operator*() const { return at_; }
    constexpr Iterator& operator++() {
      ++at_;
      return *this;
    }
    constexpr bool operator!=(const Iterator& other) const { return int{at_} != int{other.at_}; }

   private:
    Which at_;
  };

  constexpr IndexRange(Which first, Which last) : first_(first), last_(last) {}
  [[nodiscard]] constexpr Iterator begin() const { return Iterator(first_); }
  [[nodiscard]] constexpr Iterator end() const { return Iterator(last_); }

 private:
  Which first_, last_;
};

/// A vector with one element for each thing of a kind.
template <class Which, class T>
class Indexed : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  using std::vector<T>::operator[];
  [[nodiscard]] decltype(auto) operator[](Which index) { return std::vector<T>::operator[](index.slot()); }
  [[nodiscard]] decltype(auto) operator[](Which index) const { return std::vector<T>::operator[](index.slot()); }
  /// By the index of a part of the kind: a body among all objects.
  template <class Part>
  requires(!std::is_same_v<Index<Part>, Which> && std::is_convertible_v<Index<Part>, Which>)
      [[nodiscard]] decltype(auto)
      operator[](Index<Part> part) {
    return (*this)[Which(part)];
  }
  template <class Part>
  requires(!std::is_same_v<Index<Part>, Which> && std::is_convertible_v<Index<Part>, Which>)
      [[nodiscard]] decltype(auto)
      operator[](Index<Part> part) const {
    return (*this)[Which(part)];
  }
  /// The index of something else is none of these.
  template <class Other>
  requires(!std::is_convertible_v<Index<Other>, Which>) void operator[](Index<Other> other) const = delete;
  [[nodiscard]] Which end_index() const { return Which(this->size()); }
  [[nodiscard]] IndexRange<Which> indices() const { return {Which(0), end_index()}; }
};

}  // namespace carom
