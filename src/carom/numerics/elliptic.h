#pragma once
/// Elliptic integrals (Legendre's F, Π, K by Carlson's R_F, R_J, R_C) and the Jacobi functions sn, cn, dn.
///
///   F(φ|m)   = ∫₀^φ dα/√(1 − m sin²α)                      K(m) = F(π/2|m)
///   Π(n;φ|m) = ∫₀^φ dα/((1 − n sin²α)√(1 − m sin²α))
///   u = F(φ|m):  sn u = sin φ,  cn u = cos φ,  dn u = √(1 − m sn²u)
///
/// The parameter is m = k², 0 ≤ m ≤ 1, always carried together with 1 − m: near the separatrix of a rotating body
/// 1 − m is known to full relative precision where 1 minus a rounded m is not.
/// Sources: Carlson, Computing elliptic integrals by duplication, Numer. Math. 33, 1979 and Numer. Algorithms 10, 1995;
/// DLMF chapters 19, 20 and 22.

#include <array>

namespace carom::elliptic {

/// R_F(x,y,z) = ½ ∫₀^∞ dt/√((t+x)(t+y)(t+z)): x, y, z ≥ 0; infinite where two of them are zero.
double carlson_rf(double x, double y, double z);
/// R_C(x,y) = R_F(x,y,y): x ≥ 0, y > 0.
double carlson_rc(double x, double y);
/// R_J(x,y,z,p) = (3/2) ∫₀^∞ dt/((t+p)√((t+x)(t+y)(t+z))): x, y, z ≥ 0, at most one of them zero, p > 0.
double carlson_rj(double x, double y, double z, double p);

/// The parameter m and its complement 1 − m.
struct Parameter {
  double m = 0.0;
  double complement = 1.0;

  static Parameter of(double m) { return {m, 1.0 - m}; }
  [[nodiscard]] Parameter exchanged() const { return {complement, m}; }
};

/// An amplitude φ ∈ [−π/2, π/2] by its sine and cosine, so that neither loses digits where it is small.
struct Amplitude {
  double sine = 0.0;
  double cosine = 1.0;
};

/// K(m), by the arithmetic-geometric mean; infinite for m = 1.
double complete_first_kind(Parameter parameter);
/// F(φ|m).
double first_kind(Amplitude amplitude, Parameter parameter);
/// F(φ|m) for any real φ; infinite beyond ±π/2 where m = 1.
double first_kind(double phi, Parameter parameter);
/// Π(n;φ|m) for n sin²φ < 1.
double third_kind(double n, Amplitude amplitude, Parameter parameter);
/// Π(n;φ|m) for any real φ and n < 1.
double third_kind(double n, double phi, Parameter parameter);

struct JacobiValues {
  double sn = 0.0;
  double cn = 1.0;
  double dn = 1.0;
};

/// A polynomial of degree three, lowest coefficient first.
using Cubic = std::array<double, 4>;
inline double evaluate(const Cubic& p, double x) {
  return p[0] + x * (p[1] + x * (p[2] + x * p[3]));
}

/// sn, cn, dn prepared for one parameter; evaluation is cheap and allocates nothing.
///
/// The argument is reduced to u = jK + r, |r| ≤ K/2, and the functions of r are quotients of theta series. For m ≤ ½
/// the series in the nome q = exp(−πK'/K) with trigonometric functions of πr/2K are used; for m > ½ (`hyperbolic`)
/// those in q' = exp(−πK/K') with hyperbolic functions of πr/2K' [DLMF 20.7(viii)]. The nome in use is at most
/// e^{−π} = 0.0432, so four terms reach round-off for every m, and m = 0 and m = 1 are no special cases.
/// Error: a few units of round-off of each value, plus that of the argument, ε|u|.
class JacobiFunctions {
 public:
  JacobiFunctions() : JacobiFunctions(Parameter{}) {}
  explicit JacobiFunctions(Parameter parameter);

  [[nodiscard]] JacobiValues operator()(double u) const;

  /// A reduced argument: trigonometric (ρ = πr/2K) or hyperbolic (w = πr/2K').
  struct Spot {
    double quarter = 0.0;       ///< j, a whole number
    double sine = 0.0;          ///< sin ρ or sinh w
    double cosine = 1.0;        ///< cos ρ or cosh w
    double double_angle = 1.0;  ///< cos 2ρ or cosh 2w
    bool odd = false;           ///< j is odd
    double sign = 1.0;          ///< of sn and cn against those of reduced(): −1 where j mod 4 is 2 or 3
  };
  [[nodiscard]] Spot locate(double u) const;
  /// sn, cn, dn at r + K for odd j and at r for even j: those at u up to the sign of sn and cn.
  [[nodiscard]] JacobiValues reduced(const Spot& spot) const;

  [[nodiscard]] Parameter parameter() const { return parameter_; }
  /// K(m) and K'(m) = K(1 − m); one of them may be infinite.
  [[nodiscard]] double quarter_period() const { return quarter_; }
  [[nodiscard]] double complementary_quarter_period() const { return complementary_quarter_; }
  /// Whether the series in q' are used.
  [[nodiscard]] bool hyperbolic() const { return hyperbolic_; }
  /// The nome of the series in use, and its logarithm (−∞ where it is zero).
  [[nodiscard]] double nome() const { return nome_; }
  [[nodiscard]] double log_nome() const { return log_nome_; }

 private:
  Parameter parameter_;
  bool hyperbolic_ = false;
  double quarter_ = 0.0;
  double quarter_high_ = 0.0, quarter_low_ = 0.0;  // K = high + low, so that j·high is exact
  double inverse_quarter_ = 0.0;
  double complementary_quarter_ = 0.0;
  double scale_ = 1.0;  // r to ρ or w
  double root_complement_ = 1.0;
  double nome_ = 0.0, log_nome_ = 0.0;
  // sn = sine·P_s/D, cn = cosine·P_c/D, dn = P_d/D with D = P_n (trigonometric);
  // sn = sine·P_s/D, cn = P_n/D, dn = P_d/D with D = cosine·P_c (hyperbolic).
  Cubic series_s_{}, series_c_{}, series_d_{}, series_n_{};
};

/// The multiple-angle polynomials in C = cos 2ρ (or cosh 2w), k = 0…3:
inline constexpr std::array<Cubic, 4> kOddSine{
    {{1, 0, 0, 0}, {1, 2, 0, 0}, {-1, 2, 4, 0}, {-1, -4, 4, 8}}};  ///< sin (2k+1)ρ / sin ρ
inline constexpr std::array<Cubic, 4> kOddCosine{
    {{1, 0, 0, 0}, {-1, 2, 0, 0}, {-1, -2, 4, 0}, {1, -4, -4, 8}}};  ///< cos (2k+1)ρ / cos ρ
inline constexpr std::array<Cubic, 4> kEvenCosine{
    {{1, 0, 0, 0}, {0, 1, 0, 0}, {-1, 0, 2, 0}, {0, -3, 0, 4}}};  ///< cos 2kρ
inline constexpr std::array<Cubic, 4> kEvenSine{
    {{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 2, 0, 0}, {-1, 0, 4, 0}}};  ///< sin 2kρ / sin 2ρ

/// Σ_k weight_k basis_k.
Cubic combine(const std::array<double, 4>& weight, const std::array<Cubic, 4>& basis);

}  // namespace carom::elliptic
