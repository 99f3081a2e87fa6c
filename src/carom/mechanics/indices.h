#pragma once
/// The numbers under which a Model knows its things.

#include "carom/base/index.h"

namespace carom {

using BodyIndex = Index<struct BodyKind>;
/// Bodies and obstacles under one numbering, bodies first: how contacts and events name what they touch.
using ObjectIndex = Index<struct ObjectKind>;
template <>
struct IsPartOf<BodyKind, ObjectKind> : std::true_type {};

using MaterialIndex = Index<struct MaterialKind>;
using ConstraintIndex = Index<struct ConstraintKind>;
using JointIndex = Index<struct JointTag>;
using SpringIndex = Index<struct SpringKind>;
using LoadIndex = Index<struct LoadKind>;
using PocketIndex = Index<struct PocketKind>;

/// The number of an object that is known to be a body.
constexpr BodyIndex as_body(ObjectIndex object) {
  return int{object};
}

/// Index of nothing.
inline constexpr int kNone = -1;

}  // namespace carom
