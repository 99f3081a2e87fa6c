#include "carom/analysis/fourier.h"

#include <fftw3.h>

#include <memory>
#include <mutex>

namespace carom {
namespace {

// FFTW makes and destroys plans in one thread at a time; carrying them out needs no lock.
std::mutex planning;

struct DestroyPlan {
  void operator()(fftw_plan plan) const {
    const std::lock_guard<std::mutex> lock(planning);
    fftw_destroy_plan(plan);
  }
};
using Plan = std::unique_ptr<fftw_plan_s, DestroyPlan>;

// FFTW's complex numbers are laid out as the standard's.
fftw_complex* as_fftw(std::complex<double>* values) {
  return reinterpret_cast<fftw_complex*>(values);
}

}  // namespace

// Plans are estimated, not measured: the same length is computed in the same manner every time.

std::vector<std::complex<double>> fourier_transform(std::span<const double> values) {
  const int length = static_cast<int>(values.size());
  std::vector<double> input(values.begin(), values.end());
  std::vector<std::complex<double>> output(values.size() / 2 + 1);
  if (values.empty()) return output;
  Plan plan;
  {
    const std::lock_guard<std::mutex> lock(planning);
    plan.reset(fftw_plan_dft_r2c_1d(length, input.data(), as_fftw(output.data()), FFTW_ESTIMATE));
  }
  fftw_execute(plan.get());
  return output;
}

std::vector<std::complex<double>> inverse_fourier_transform(std::span<const std::complex<double>> coefficients) {
  const int length = static_cast<int>(coefficients.size());
  std::vector<std::complex<double>> values(coefficients.begin(), coefficients.end());
  if (values.empty()) return values;
  Plan plan;
  {
    const std::lock_guard<std::mutex> lock(planning);
    fftw_complex* const data = as_fftw(values.data());
    plan.reset(fftw_plan_dft_1d(length, data, data, FFTW_BACKWARD, FFTW_ESTIMATE));
  }
  fftw_execute(plan.get());
  for (std::complex<double>& value : values) value /= length;
  return values;
}

}  // namespace carom
