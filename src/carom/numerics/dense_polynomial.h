#pragma once
/// The motion within one collocation step (gauss_collocation.h) as a polynomial, with proven bounds.
///
/// On t = t₀ + θ h, 0 ≤ θ ≤ 1, with the Legendre polynomials P_j of x = 2θ − 1:
///   ẏ(θ) = Σ_j a_j P_j(x),   y(θ) = y₀ + h Σ_j a_j I_j(θ),   j = 0 … 7,
///   I_0 = θ,   I_j = ∫₀^θ P_j = (P_{j+1} − P_{j−1})/(2(2j + 1)).
/// I_j(0) = 0 for all j and I_j(1) = 0 for j > 0 hold exactly in floating point too, so that y(0) = y₀ and
/// y(1) = y₀ + h a_0 to the bit.
///
/// The bounds are of this polynomial, over the whole step: |P_j| ≤ 1, |P_j'| ≤ j(j + 1)/2, |I_j| ≤ kMaxIntegral[j].

#include <vector>

namespace carom {

/// A view: the coefficients (size(n) numbers: y₀, then h a_0 … h a_7) belong to whoever made it.
struct DensePolynomial {
  static constexpr int kTerms = 8;
  static const double kMaxIntegral[kTerms + 1];  ///< max |I_j| over the step

  const double* coefficients = nullptr;
  int n = 0;           ///< components of y
  double start = 0.0;  ///< t₀
  double step = 0.0;   ///< h ≠ 0

  static constexpr int size(int components) { return (kTerms + 1) * components; }
  /// Copies the coefficients into `storage` and returns the view of the copy.
  DensePolynomial copied_to(std::vector<double>& storage) const;

  [[nodiscard]] double end() const { return start + step; }
  /// θ of a time.
  [[nodiscard]] double position(double time) const { return (time - start) / step; }

  /// Components first … first + count − 1 of y, of ẏ and of ÿ at θ.
  void value(double theta, int first, int count, double* out) const;
  void slope(double theta, int first, int count, double* out) const;
  void second_slope(double theta, int first, int count, double* out) const;

  /// Bounds over the whole step on the Euclidean norm of components first … first + count − 1.
  [[nodiscard]] double value_bound(int first, int count) const;
  [[nodiscard]] double slope_bound(int first, int count) const;
  [[nodiscard]] double second_slope_bound(int first, int count) const;

 private:
  [[nodiscard]] const double* term(int j) const { return coefficients + static_cast<long>(j + 1) * n; }
  [[nodiscard]] double term_norm(int j, int first, int count) const;
};

}  // namespace carom
