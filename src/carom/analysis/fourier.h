#pragma once
/// Discrete Fourier transforms of any length: X_k = Σ_j x_j e^{−2πi jk/N}, by FFTW. O(N log N), also for prime N.

#include <complex>
#include <span>
#include <vector>

namespace carom {

/// X_0 … X_{N/2} of a real signal (the rest are their conjugates).
std::vector<std::complex<double>> fourier_transform(std::span<const double> values);

/// x_j = (1/N) Σ_k X_k e^{2πi jk/N} of all N coefficients.
std::vector<std::complex<double>> inverse_fourier_transform(std::span<const std::complex<double>> coefficients);

}  // namespace carom
