#include "carom/numerics/gauss_collocation.h"

#include <algorithm>
#include <cmath>

namespace carom {

void GaussCollocation::resize(int n) {
  n_ = n;
  has_polynomial_ = false;
  evaluations_ = 0;
  const auto size = static_cast<std::size_t>(n);
  scale_.assign(size, 1.0);
  slope_.assign(size * kStages, 0.0);
  coefficients_.assign(static_cast<std::size_t>(DensePolynomial::size(n)), 0.0);
  for (auto* each : {&before_, &after_, &carry_, &weight_, &stage_, &new_slope_}) each->assign(size, 0.0);
}

void GaussCollocation::transfer(Archive& archive) {
  auto& [n, tolerance, enough, start, step, has_polynomial, evaluations, scale, slope, coefficients, before, after,
         carry, weight, stage, new_slope] = *this;
  archive(n, tolerance, enough, start, step, has_polynomial, evaluations, scale, slope, coefficients, before, after,
          carry, weight, stage, new_slope);
}

bool GaussCollocation::begin(double t, const double* y, double h) {
  const bool continues = has_polynomial_ && t == start_ + step_ && std::equal(y, y + n_, after_.begin());
  const bool repeats = has_polynomial_ && t == start_ && std::equal(y, y + n_, before_.begin());
  const double ratio = has_polynomial_ ? h / step_ : 0.0;
  // Beyond the step the polynomial is good for a while only; before it, or with time reversed, not at all.
  const bool guessed = (continues && ratio > 0.0 && ratio <= 2.0) || (repeats && ratio > 0.0 && ratio <= 3.0);
  if (guessed) {
    const double offset = continues ? 1.0 : 0.0;
    for (int i = 0; i < kStages; ++i) dense().slope(offset + kNodes[i] * ratio, 0, n_, slope(i));
  }
  if (!continues) std::fill(carry_.begin(), carry_.end(), 0.0);
  std::copy(y, y + n_, before_.begin());
  for (int i = 0; i < n_; ++i) weight_[i] = 1.0 / (scale_[i] + std::abs(y[i]));
  return guessed;
}

void GaussCollocation::guess_constant(const double* first_slope) {
  for (int i = 0; i < kStages; ++i) std::copy(first_slope, first_slope + n_, slope(i));
}

void GaussCollocation::stage_value(int i, double h) {
  std::fill(stage_.begin(), stage_.end(), 0.0);
  for (int j = 0; j < kStages; ++j) {
    const double a = kA[i][j];
    const double* k = slope(j);
    for (int c = 0; c < n_; ++c) stage_[c] += a * k[c];
  }
  for (int c = 0; c < n_; ++c) stage_[c] = before_[c] + (h * stage_[c] + carry_[c]);
}

double GaussCollocation::replace_slope(int i, double h) {
  double* k = slope(i);
  double change = 0.0;
  for (int c = 0; c < n_; ++c) {
    const double here = std::abs(h * (new_slope_[c] - k[c])) * weight_[c];
    change = larger_or_nan(change, here);
    k[c] = new_slope_[c];
  }
  return change;
}

double GaussCollocation::finish(double t, double h, double* y_new) {
  start_ = t;
  step_ = h;
  has_polynomial_ = true;
  std::copy(before_.begin(), before_.end(), coefficients_.begin());
  double size[kStages];
  for (int j = 0; j < kStages; ++j) {
    double* a = coefficients_.data() + static_cast<long>(j + 1) * n_;
    std::fill_n(a, n_, 0.0);
    for (int i = 0; i < kStages; ++i) {
      const double factor = kToLegendre[j][i];
      const double* k = slope(i);
      for (int c = 0; c < n_; ++c) a[c] += factor * k[c];
    }
    size[j] = 0.0;
    for (int c = 0; c < n_; ++c) {
      a[c] *= h;
      size[j] = std::max(size[j], std::abs(a[c]) * weight_[c]);
    }
  }

  // y₁ = y₀ + (h a_0 + carry), and what the rounding of this sum loses is carried on.
  const double* increment = coefficients_.data() + n_;
  for (int c = 0; c < n_; ++c) {
    const double move = increment[c] + carry_[c];
    const double sum = before_[c] + move;
    carry_[c] = std::abs(before_[c]) >= std::abs(move) ? (before_[c] - sum) + move : (move - sum) + before_[c];
    after_[c] = sum;
    y_new[c] = sum;
  }

  // |a_8| by the decay of the last terms; two orders at a time, since odd or even ones may vanish by symmetry.
  const auto decay = [](double late, double early) { return late < early ? std::sqrt(late / early) : 1.0; };
  if (!(std::max(size[7], size[6]) > 0.0)) return 0.0;
  const double ratio = std::max(decay(size[7], size[5]), decay(size[6], size[4]));
  const double missing = std::max(size[7] * ratio, size[6] * ratio * ratio);
  return DensePolynomial::kMaxIntegral[kStages] * missing / tolerance_;
}

double GaussCollocation::step_factor(const CollocationResult& result) {
  if (!result.converged) return 0.3;
  // h a_8 grows with the ninth power of the step; slow iterations cost more than another step.
  const double by_error = 0.9 * std::pow(std::max(result.error, 1e-30), -1.0 / (kStages + 1));
  const double most = result.iterations > 25 ? 0.8 : result.iterations > 15 ? 1.0 : 2.0;
  return std::clamp(std::min(by_error, most), 0.2, 2.0);
}

// Nodes and coefficients at 60 digits from the roots of P_8, rounded.
// clang-format off
const double GaussCollocation::kNodes[kStages] = {
    0.019855071751231884158, 0.1016667612931866302, 0.23723379504183550709, 0.40828267875217509753,
    0.59171732124782490247, 0.76276620495816449291, 0.8983332387068133698, 0.98014492824876811584};
const double GaussCollocation::kA[kStages][kStages] = {
    {0.025307134072594064788, -0.0091059433059700750214, 0.0062808311470304739806, -0.0044830156130547514419,
     0.0030784913683267798899, -0.0019176752546369523409, 0.00097275766405926352672, -0.0002775083271169192229},
    {0.054759321767554320283, 0.055595258613343617636, -0.013639796235781669253, 0.008149708858360550536,
     -0.0052153520891471533802, 0.0031397529854636689423, -0.0015649349109489423758, 0.00044280230434223781563},
    {0.048587535998912880943, 0.12085952499717316744, 0.078426661469471821834, -0.015975103361878431476,
     0.0083717327202261637869, -0.0046434658621044797901, 0.0022257147752848997183, -0.0006188056952505153676},
    {0.051865520970581234565, 0.10619349014834840688, 0.17067113427455362128, 0.090670945844590495741,
     -0.016021041321025013169, 0.0072412065612222698618, -0.0031978143103607703225, 0.00085923658426485268947},
    {0.049755031560923276887, 0.11438833153704800559, 0.14961211637772137381, 0.19736293301020600465,
     0.090670945844590495741, -0.013817811335609977616, 0.0049970270783388283933, -0.001251252825393104989},
    {0.051233073840438644944, 0.10896480245140233555, 0.16149678880104812346, 0.1729701589689548277,
     0.19731699505105942296, 0.078426661469471821834, -0.0096690077704859321695, 0.0020267321462752486331},
    {0.050171465840845891761, 0.11275545213763617765, 0.15371356995347997473, 0.18655724377832814486,
     0.17319218283082044095, 0.17049311917472531292, 0.055595258613343617636, -0.0041450536223661907069},
    {0.050891776472305048799, 0.11021775956262797175, 0.15877099819358059601, 0.17826340032085421159,
     0.18582490730223574292, 0.15057249179191316969, 0.12029646053265731029, 0.025307134072594064788},
};
/// a_j = Σ_i kToLegendre[j][i] K_i, (2j + 1) b_i P_j(x_i); row 0 is b.
const double GaussCollocation::kToLegendre[kStages][kStages] = {
    {0.050614268145188129576, 0.11119051722668723527, 0.15685332293894364367, 0.18134189168918099148,
     0.18134189168918099148, 0.15685332293894364367, 0.11119051722668723527, 0.050614268145188129576},
    {-0.14581310488161158486, -0.26574527304235230366, -0.24729451442246177791, -0.099793155214469291067,
     0.099793155214469291067, 0.24729451442246177791, 0.26574527304235230366, 0.14581310488161158486},
    {0.22352144354258714757, 0.25129958334321499281, -0.067230102038547325536, -0.40759092484725481485,
     -0.40759092484725481485, -0.067230102038547325536, 0.25129958334321499281, 0.22352144354258714757},
    {-0.27401882283041490456, -0.053756356443960321806, 0.46712075003583032557, 0.32968848669588295664,
     -0.32968848669588295664, -0.46712075003583032557, 0.053756356443960321806, 0.27401882283041490456},
    {0.29030541733775395148, -0.24289619147803757641, -0.46158532259653042903, 0.41417609673681405396,
     0.41417609673681405396, -0.46158532259653042903, -0.24289619147803757641, 0.29030541733775395148},
    {-0.26882935877865387365, 0.4932953766619368718, -0.053565811005204403319, -0.58160886344932168818,
     0.58160886344932168818, 0.053565811005204403319, -0.4932953766619368718, 0.26882935877865387365},
    {0.2098921910670322919, -0.55910738314336459944, 0.61660486350253587505, -0.26738967142620356751,
     -0.26738967142620356751, 0.61660486350253587505, -0.55910738314336459944, 0.2098921910670322919},
    {-0.11769245644771356063, 0.37789693708459212621, -0.63177455311900480477, 0.78490655792181316393,
     -0.78490655792181316393, 0.63177455311900480477, -0.37789693708459212621, 0.11769245644771356063},
};
// clang-format on

}  // namespace carom
