#include "carom/geometry/convex/ascent.h"

#include <Eigen/Geometry>
#include <limits>

namespace carom {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kRounding = std::numeric_limits<double>::epsilon();
constexpr double kProof = 8.0 * kRounding;  // of the scale: mismatch of nearest points that is round-off
constexpr int kMostRounds = 12;
constexpr int kMostSteps = 40;
constexpr double kParallel = 1e-10;   // sine of the angle between edges, below which their cross product is noise
constexpr double kOnAxis = 1e-9;      // relative: no direction around an axis
constexpr double kLongestStep = 0.5;  // [rad]

/// How many conditions fix the normal: a face's is known before the search, that of two lines by one of each.
int knowledge(NormalSource::Kind kind) {
  switch (kind) {
    case NormalSource::Kind::search: return 0;
    case NormalSource::Kind::points:
    case NormalSource::Kind::line_a:
    case NormalSource::Kind::line_b: return 1;
    case NormalSource::Kind::lines:
    case NormalSource::Kind::edges: return 2;
    default: return 3;
  }
}

class Climber {
 public:
  Climber(const ConvexGap& gap, const Ascent& from) : gap_(gap), best_(from) {}

  [[nodiscard]] const Ascent& best() const { return best_; }

  /// Every candidate near the best place so far; whether one was better.
  bool round(double angle) {
    const double before = best_.at.value;
    const Vector3d n = best_.at.normal;
    const Kinks of_a = gap_.a.kinks(-n, best_.vertices.a, angle);
    const Kinks of_b = gap_.b.kinks(n, best_.vertices.b, angle);
    consider_faces(of_a, of_b);
    consider_crossings(of_a, of_b, n, angle);
    if (is_proven()) return false;
    for (int i = 0; i < of_a.circle_count; ++i) {
      follow_a(of_a.circles[static_cast<std::size_t>(i)], n);
      if (is_proven()) return false;
    }
    for (int j = 0; j < of_b.circle_count; ++j) {
      follow_b(of_b.circles[static_cast<std::size_t>(j)], n);
      if (is_proven()) return false;
    }
    if (gap_.is_polyhedral()) {
      repeat({NormalSource::Kind::points, Vector3d::Zero(), Vector3d::Zero()}, n);
    } else {
      roam(n);
      if (is_proven()) return false;
    }
    return best_.at.value > before + 2.0 * kRounding * gap_.scale;
  }

  /// The candidates of a round one after the other, until one is a place of rest; whether one was.
  bool find_rest(double angle, double exact) {
    const Vector3d n = best_.at.normal;
    const auto rests = [&] { return witness(gap_, best_.at, best_.vertices).mismatch <= exact; };
    const Kinks of_a = gap_.a.kinks(-n, best_.vertices.a, angle);
    const Kinks of_b = gap_.b.kinks(n, best_.vertices.b, angle);
    if (of_a.face_count + of_b.face_count > 0) {
      consider_faces(of_a, of_b);
      if (rests()) return true;
    }
    if (of_a.circle_count > 0 && of_b.circle_count > 0) {
      consider_crossings(of_a, of_b, n, angle);
      if (rests()) return true;
    }
    for (int i = 0; i < of_a.circle_count; ++i) {
      follow_a(of_a.circles[static_cast<std::size_t>(i)], n);
      if (rests()) return true;
    }
    for (int j = 0; j < of_b.circle_count; ++j) {
      follow_b(of_b.circles[static_cast<std::size_t>(j)], n);
      if (rests()) return true;
    }
    if (gap_.is_polyhedral()) return false;
    roam(n);
    return rests();
  }

 private:
  /// Whether by the witnesses of the best place s is larger nowhere; for round shapes that are apart, where searches
  /// that cannot find anything better cost most. Candidates come in the order of how much is known about their normals.
  [[nodiscard]] bool is_proven() const {
    if (gap_.is_polyhedral() || !(best_.at.value > 0.0)) return false;
    const double mismatch = witness(gap_, best_.at, best_.vertices).mismatch;
    return mismatch <= kProof * gap_.scale && uncertainty(best_.at.value, mismatch) <= kRounding * gap_.scale;
  }

  void consider_faces(const Kinks& of_a, const Kinks& of_b) {
    for (int i = 0; i < of_b.face_count; ++i)
      consider(of_b.faces[static_cast<std::size_t>(i)],
               {NormalSource::Kind::face_b, Vector3d::Zero(), of_b.faces[static_cast<std::size_t>(i)]});
    for (int i = 0; i < of_a.face_count; ++i)
      consider(-of_a.faces[static_cast<std::size_t>(i)],
               {NormalSource::Kind::face_a, of_a.faces[static_cast<std::size_t>(i)], Vector3d::Zero()});
  }

  void consider_crossings(const Kinks& of_a, const Kinks& of_b, const Vector3d& n, double angle) {
    const double cosine = std::cos(2.0 * angle);
    for (int i = 0; i < of_a.circle_count; ++i) {
      // In terms of n = −u the normals of A's line are { axis·n = −height }.
      const Kinks::Circle a{of_a.circles[static_cast<std::size_t>(i)].axis,
                            -of_a.circles[static_cast<std::size_t>(i)].height};
      for (int j = 0; j < of_b.circle_count; ++j) cross(a, of_b.circles[static_cast<std::size_t>(j)], n, cosine);
    }
  }

  void follow_a(const Kinks::Circle& circle, const Vector3d& from) {
    follow({circle.axis, -circle.height}, from, {NormalSource::Kind::line_a, circle.axis, Vector3d::Zero()});
  }
  void follow_b(const Kinks::Circle& circle, const Vector3d& from) {
    follow(circle, from, {NormalSource::Kind::line_b, Vector3d::Zero(), circle.axis});
  }

  ConvexGap::At evaluate(const Vector3d& n) { return gap_.at(n, vertices_); }

  void consider(const Vector3d& n, const NormalSource& source) {
    vertices_ = best_.vertices;
    const ConvexGap::At at = evaluate(n);
    // Where round-off alone makes the difference, the normal that more is known about.
    const int more = knowledge(source.kind) - knowledge(best_.source.kind);
    const double needed = (more > 0 ? -4.0 : more < 0 ? 4.0 : 0.0) * kRounding * gap_.scale;
    if (at.value > best_.at.value + needed) best_ = {at, vertices_, source};
  }

  /// Where two circles cross: n = x p + y q ± z p×q, on the side of `near`.
  void cross(const Kinks::Circle& a, const Kinks::Circle& b, const Vector3d& near, double cosine) {
    const Vector3d across = a.axis.cross(b.axis);
    const double square = across.squaredNorm();
    if (square < kParallel * kParallel) return;
    Vector3d n;
    if (a.height == 0.0 && b.height == 0.0) {
      n = across / std::sqrt(square);
      // The round-off of a short cross product, made harmless: an axis turned along the edge would reach its end.
      n = (n - n.dot(a.axis) * a.axis).normalized();
      if (n.dot(near) < 0.0) n = -n;
    } else {
      const double along = a.axis.dot(b.axis);
      const double x = (a.height - along * b.height) / square;
      const double y = (b.height - along * a.height) / square;
      const Vector3d base = x * a.axis + y * b.axis;
      const double rest = 1.0 - base.squaredNorm();
      if (rest < 0.0) return;
      n = (base + std::copysign(std::sqrt(rest / square), across.dot(near)) * across).normalized();
    }
    if (n.dot(near) < cosine) return;
    const bool great_circles = a.height == 0.0 && b.height == 0.0;
    consider(n, {great_circles ? NormalSource::Kind::edges : NormalSource::Kind::lines, a.axis, b.axis});
  }

  void follow(const Kinks::Circle& circle, const Vector3d& from, const NormalSource& source) {
    if (gap_.is_polyhedral()) {
      repeat(source, from);
    } else {
      slide(circle, from, source);
    }
  }

  /// Polyhedra that are apart: the normal of the vertices, or of the edge and the vertex, that are nearest along n, and
  /// again with those that are nearest then. (Where they overlap the normal is a face's or that of two edges.)
  void repeat(const NormalSource& source, const Vector3d& from) {
    vertices_ = best_.vertices;
    ConvexGap::At here = evaluate(from);
    for (int count = 0; count < kMostRounds && (count == 0 || here.value > 0.0); ++count) {
      const ConvexGap::At there = evaluate(normal_of(source, here));
      const bool better = there.value > here.value;
      if (better || count == 0) here = there;
      if (!better) break;
    }
    if (here.value > 0.0) consider(here.normal, source);
  }

  /// Newton's method on the circle { axis·n = height }.
  void slide(const Kinks::Circle& circle, const Vector3d& from, const NormalSource& source) {
    const auto off_axis = [&](const Vector3d& x) { return Vector3d(x - circle.axis.dot(x) * circle.axis); };
    Vector3d out = off_axis(from);
    if (!(out.norm() > kOnAxis)) {
      // From the axis all ways are alike; the steepest is the one against the points of A.
      out = off_axis(best_.at.a - best_.at.b);
      if (!(out.norm() > kOnAxis * gap_.scale)) return;
    }
    out = off_axis(out.normalized()).normalized();
    const double radius = std::sqrt(std::max(0.0, 1.0 - circle.height * circle.height));
    vertices_ = best_.vertices;
    const auto at_angle = [&](const Vector3d& direction) {
      return Vector3d(circle.height * circle.axis + radius * direction);
    };
    ConvexGap::At here = evaluate(at_angle(out));
    for (int count = 0; count < kMostSteps; ++count) {
      const Vector3d around = circle.axis.cross(out);
      const Vector3d x = here.a - here.b;
      const Matrix3d curvature = gap_.a.second_derivative(-here.normal) + gap_.b.second_derivative(here.normal);
      const double slope = radius * x.dot(around);
      const double bend = -radius * radius * around.dot(curvature * around) - radius * x.dot(out);
      double step = slope / std::max(std::abs(bend), kRounding * gap_.scale);
      step = std::clamp(step, -kLongestStep, kLongestStep);
      bool moved = false;
      for (int halving = 0; halving < 30 && !moved; ++halving, step *= 0.5) {
        const Vector3d next = (std::cos(step) * out + std::sin(step) * around).normalized();
        const ConvexGap::At there = evaluate(at_angle(next));
        if (!(there.value > here.value)) {
          if (std::abs(step) < 1e-7) break;
          continue;
        }
        moved = true;
        out = next;
        here = there;
      }
      if (!moved || std::abs(step) < 1e-9) {
        refine_on_circle(circle, radius, out, here);
        break;
      }
    }
    bisect_on_circle(circle, radius, here);
    consider(here.normal, source);
  }

  /// The last steps, in which s no longer tells better from worse: plain Newton while the slope falls.
  void refine_on_circle(const Kinks::Circle& circle, double radius, Vector3d out, ConvexGap::At& here) {
    for (int count = 0; count < 4; ++count) {
      const Vector3d around = circle.axis.cross(out);
      const Vector3d x = here.a - here.b;
      const Matrix3d curvature = gap_.a.second_derivative(-here.normal) + gap_.b.second_derivative(here.normal);
      const double slope = x.dot(around);
      const double bend = -radius * around.dot(curvature * around) - x.dot(out);
      if (!(bend < 0.0)) return;
      const double step = -slope / bend;
      if (!(std::abs(step) < 1e-4)) return;
      const Vector3d next = (std::cos(step) * out + std::sin(step) * around).normalized();
      const ConvexGap::At there = evaluate(circle.height * circle.axis + radius * next);
      const double slope_there = (there.a - there.b).dot(circle.axis.cross(next));
      if (!(std::abs(slope_there) < std::abs(slope)) || there.value < here.value - 4.0 * kRounding * gap_.scale) return;
      out = next;
      here = there;
    }
  }

  /// Where a rim ends in a vertex the second derivative jumps, and Newton's steps stop short of the place: between a
  /// rising and a falling slope it is found by halving.
  void bisect_on_circle(const Kinks::Circle& circle, double radius, ConvexGap::At& here) {
    const auto slope_at = [&](const ConvexGap::At& at) { return circle.axis.cross(at.normal).dot(at.a - at.b); };
    const double noise = 16.0 * kRounding * gap_.scale;
    const double first = slope_at(here);
    if (std::abs(first) <= noise) return;
    const Vector3d out = (here.normal - circle.height * circle.axis) / radius;
    const Vector3d around = circle.axis.cross(out);
    const auto at_angle = [&](double angle) {
      return evaluate(circle.height * circle.axis + radius * (std::cos(angle) * out + std::sin(angle) * around));
    };
    double near = 0.0, far = std::copysign(1e-7, first);
    ConvexGap::At beyond = at_angle(far);
    while (slope_at(beyond) * first > 0.0 && std::abs(far) < 1e-3) {
      near = far;
      far *= 4.0;
      beyond = at_angle(far);
    }
    if (slope_at(beyond) * first > 0.0) return;
    for (int count = 0; count < 60; ++count) {
      const double middle = 0.5 * (near + far);
      const ConvexGap::At there = at_angle(middle);
      const double slope = slope_at(there);
      if (there.value >= here.value - noise && std::abs(slope) < std::abs(slope_at(here))) here = there;
      if (std::abs(slope) <= noise) break;
      (slope * first > 0.0 ? near : far) = middle;
    }
  }

  /// Newton's method on the whole sphere.
  void roam(const Vector3d& from) {
    vertices_ = best_.vertices;
    ConvexGap::At here = evaluate(from);
    for (int count = 0; count < kMostSteps; ++count) {
      const Vector3d& n = here.normal;
      int smallest = 0;
      n.cwiseAbs().minCoeff(&smallest);
      const Vector3d t = n.cross(Vector3d::Unit(smallest)).normalized();
      const Vector3d w = n.cross(t);
      const Vector3d x = here.a - here.b;
      const Vector2d slope(x.dot(t), x.dot(w));
      const double noise = 2.0 * kRounding * gap_.scale;
      if (slope.norm() <= noise) break;
      const Matrix3d curvature = gap_.a.second_derivative(-n) + gap_.b.second_derivative(n);
      // −Hessian on the sphere
      double tt = t.dot(curvature * t) + here.value;
      double ww = w.dot(curvature * w) + here.value;
      const double tw = t.dot(curvature * w);
      // Made positive definite where it is not.
      const double mean = 0.5 * (tt + ww);
      const double least = mean - std::hypot(0.5 * (tt - ww), tw);
      const double floor = std::max(1e-3 * std::abs(mean), kRounding * gap_.scale);
      const bool plain = least > 0.0;
      if (least < floor && !plain) {
        tt += floor - least;
        ww += floor - least;
      }
      const double determinant = tt * ww - tw * tw;
      Vector2d step((ww * slope.x() - tw * slope.y()) / determinant, (tt * slope.y() - tw * slope.x()) / determinant);
      const double length = step.norm();
      if (!std::isfinite(length)) break;
      if (length > kLongestStep) step *= kLongestStep / length;
      bool moved = false;
      for (int halving = 0; halving < 20 && !moved; ++halving, step *= 0.5) {
        const Vector3d next = (n + step.x() * t + step.y() * w).normalized();
        const ConvexGap::At there = evaluate(next);
        const Vector3d there_x = there.a - there.b;
        const double slope_there = (there_x - there.value * there.normal).norm();
        const bool grows = there.value > here.value + noise;
        const bool settles = there.value >= here.value - noise && slope_there < 0.5 * slope.norm();
        if (!grows && !settles) {
          if (length < 1e-7) break;
          continue;
        }
        here = there;
        moved = true;
      }
      if (!moved) break;
    }
    consider_smooth(here);
  }

  /// A place without slope is taken before one with a slope, where round-off alone makes the difference.
  void consider_smooth(const ConvexGap::At& here) {
    const double noise = 4.0 * kRounding * gap_.scale;
    const auto slope = [](const ConvexGap::At& at) { return (at.a - at.b - at.value * at.normal).norm(); };
    const bool flatter = best_.source.kind == NormalSource::Kind::search && here.value >= best_.at.value - noise &&
                         slope(here) < slope(best_.at);
    if (here.value > best_.at.value + noise || flatter) best_ = {here, vertices_, {}};
  }

  const ConvexGap& gap_;
  Ascent best_;
  ConvexGap::Vertices vertices_;
};

}  // namespace

Ascent ascend(const ConvexGap& gap, const Ascent& from, double angle) {
  Climber climber(gap, from);
  for (int count = 0; count < kMostRounds && climber.round(angle); ++count) {
  }
  return climber.best();
}

std::optional<Ascent> nearest_rest(const ConvexGap& gap, const Ascent& from, double angle, double exact) {
  Climber climber(gap, from);
  if (!climber.find_rest(angle, exact)) return std::nullopt;
  return climber.best();
}

Vector3d normal_of(const NormalSource& source, const ConvexGap::At& near) {
  const auto across = [&](const Vector3d& line) {
    const Vector3d x = near.a - near.b;
    Vector3d off = x - line.dot(x) * line;
    const double length = off.norm();
    if (!(length > 0.0)) return near.normal;
    // Twice: what round-off leaves along the line would reach its end.
    off /= length;
    return Vector3d((off - line.dot(off) * line).normalized());
  };
  switch (source.kind) {
    case NormalSource::Kind::points: return across(Vector3d::Zero());
    case NormalSource::Kind::line_a: return across(source.of_a);
    case NormalSource::Kind::line_b: return across(source.of_b);
    case NormalSource::Kind::face_a: return -source.of_a;
    case NormalSource::Kind::face_b: return source.of_b;
    case NormalSource::Kind::edges: {
      Vector3d n = source.of_a.cross(source.of_b).normalized();
      n = (n - n.dot(source.of_a) * source.of_a).normalized();
      return n.dot(near.normal) < 0.0 ? Vector3d(-n) : n;
    }
    default: return near.normal;
  }
}

}  // namespace carom
