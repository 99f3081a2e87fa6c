#pragma once
/// Lambert's function W₀ and the remainders of the logarithm around it, accurate where the usual formulas cancel.
///
/// W₀(x) is the solution w ≥ −1 of w eʷ = x, for x ≥ −1/e. Near the branch point −1/e it is 1 + W₀ ~ √(2(1 + e x)) that
/// matters, and x itself no longer carries its digits; there use `lambert_w0_above_branch`, which takes
///   d = −1 − ln(−x) ≥ 0   and gives   s = 1 + W₀(−e^{−1−d}):   −ln(1 − s) − s = d,  0 ≤ s < 1.
/// With x − ln(1 + x) as `log_shortfall` the equation reads log_shortfall(−s) = d.
/// Sources: Corless et al., On the Lambert W function, Adv. Comput. Math. 5, 1996 (series at the branch point);
/// Iacono & Boyd, New approximations to the principal real-valued branch of the Lambert W-function, Adv. Comput. Math.
/// 43, 2017 (starting value and iteration away from it).

namespace carom {

/// W₀(x), x ≥ −1/e, to a few units of round-off; −1 for the double nearest to −1/e, which lies 1e-17 below it; not a
/// number for anything below that.
double lambert_w0(double x);

/// s = 1 + W₀(−e^{−1−d}) for d ≥ 0, to a few units of round-off of s; s ~ √(2d) for small d, 1 for large d.
double lambert_w0_above_branch(double d);

/// x − ln(1 + x) for x > −1, to a few units of round-off of the result, which is x²/2 − x³/3 + … for small x.
double log_shortfall(double x);

/// (ln(1 + x) − x + x²/2)/x³ = 1/3 − x/4 + x²/5 − … for x > −1, smooth at zero.
double log_third_remainder(double x);

}  // namespace carom
