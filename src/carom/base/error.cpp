#include "carom/base/error.h"

#include "carom/base/assert.h"

namespace carom {

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::usage: return "usage";
    case Kind::syntax: return "syntax";
    case Kind::unknown_name: return "unknown-name";
    case Kind::duplicate_name: return "duplicate-name";
    case Kind::missing_field: return "missing-field";
    case Kind::wrong_type: return "wrong-type";
    case Kind::out_of_range: return "out-of-range";
    case Kind::size_mismatch: return "size-mismatch";
    case Kind::not_finite: return "not-finite";
    case Kind::metric_not_symmetric: return "metric-not-symmetric";
    case Kind::metric_not_positive_definite: return "metric-not-positive-definite";
    case Kind::zero_normal: return "zero-normal";
    case Kind::constraint_violated: return "constraint-violated";
    case Kind::overlap: return "overlap";
    case Kind::unsupported: return "unsupported";
    case Kind::file: return "file";
    case Kind::limit: return "limit";
  }
  CAROM_ASSERT(false);
  return "usage";
}

}  // namespace carom
