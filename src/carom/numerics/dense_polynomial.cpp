#include "carom/numerics/dense_polynomial.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr int kTerms = DensePolynomial::kTerms;

/// P_0 … P_{kTerms} at x, by the three-term recurrence; exact at x = ±1.
void legendre(double x, double* p) {
  p[0] = 1.0;
  p[1] = x;
  for (int j = 1; j < kTerms; ++j) p[j + 1] = ((2 * j + 1) * x * p[j] - j * p[j - 1]) / (j + 1);
}

/// Bounds are sums of rounded numbers; this much more is on the safe side.
constexpr double kRoundUp = 1.0 + 1e-14;

double norm(const double* x, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

}  // namespace

// At the roots of P_j, rounded up; the last one is of the term that the error estimate is about.
const double DensePolynomial::kMaxIntegral[kTerms + 1] = {1.0,
                                                          0.25,
                                                          0.09622504486493764,
                                                          0.0625,
                                                          0.04117279996728997,
                                                          0.03125,
                                                          0.02390135862436007,
                                                          0.01953125,
                                                          0.01603083158864932};

DensePolynomial DensePolynomial::copied_to(std::vector<double>& storage) const {
  storage.assign(coefficients, coefficients + size(n));
  DensePolynomial copy = *this;
  copy.coefficients = storage.data();
  return copy;
}

void DensePolynomial::value(double theta, int first, int count, double* out) const {
  double p[kTerms + 1];
  double integral[kTerms];
  legendre(2.0 * theta - 1.0, p);
  integral[0] = theta;
  for (int j = 1; j < kTerms; ++j) integral[j] = (p[j + 1] - p[j - 1]) / (2 * (2 * j + 1));
  for (int i = 0; i < count; ++i) {
    // Small terms first; θ h a_0 is the largest.
    double sum = 0.0;
    for (int j = kTerms - 1; j >= 0; --j) sum += integral[j] * term(j)[first + i];
    out[i] = coefficients[first + i] + sum;
  }
}

void DensePolynomial::slope(double theta, int first, int count, double* out) const {
  double p[kTerms + 1];
  legendre(2.0 * theta - 1.0, p);
  for (int i = 0; i < count; ++i) {
    double sum = 0.0;
    for (int j = kTerms - 1; j >= 0; --j) sum += p[j] * term(j)[first + i];
    out[i] = sum / step;
  }
}

void DensePolynomial::second_slope(double theta, int first, int count, double* out) const {
  double p[kTerms + 1];
  double derivative[kTerms];
  legendre(2.0 * theta - 1.0, p);
  derivative[0] = 0.0;
  derivative[1] = 1.0;
  for (int j = 1; j + 1 < kTerms; ++j) derivative[j + 1] = derivative[j - 1] + (2 * j + 1) * p[j];
  for (int i = 0; i < count; ++i) {
    double sum = 0.0;
    for (int j = kTerms - 1; j >= 1; --j) sum += derivative[j] * term(j)[first + i];
    out[i] = 2.0 * sum / (step * step);
  }
}

double DensePolynomial::term_norm(int j, int first, int count) const {
  return norm(term(j) + first, count);
}

double DensePolynomial::value_bound(int first, int count) const {
  // The straight part y₀ + θ h a_0 is largest at an end.
  double end = 0.0;
  for (int i = first; i < first + count; ++i) {
    const double value = coefficients[i] + term(0)[i];
    end += value * value;
  }
  double bound = std::max(norm(coefficients + first, count), std::sqrt(end));
  for (int j = 1; j < kTerms; ++j) bound += kMaxIntegral[j] * term_norm(j, first, count);
  return bound * kRoundUp;
}

double DensePolynomial::slope_bound(int first, int count) const {
  double bound = 0.0;
  for (int j = 0; j < kTerms; ++j) bound += term_norm(j, first, count);
  return bound / std::abs(step) * kRoundUp;
}

double DensePolynomial::second_slope_bound(int first, int count) const {
  double bound = 0.0;
  for (int j = 1; j < kTerms; ++j) bound += j * (j + 1) * term_norm(j, first, count);
  return bound / (step * step) * kRoundUp;
}

}  // namespace carom
