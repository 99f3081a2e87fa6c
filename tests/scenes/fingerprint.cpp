#include "scenes/fingerprint.h"

#include <bit>
#include <cstdint>
#include <cstdio>

namespace carom::test {
namespace {

class Hash {
 public:
  void add(double value) {
    auto bits = std::bit_cast<std::uint64_t>(value);
    for (int byte = 0; byte < 8; ++byte, bits >>= 8) {
      hash_ ^= bits & 0xff;
      hash_ *= 0x100000001b3;
    }
  }
  void add(const Eigen::Vector3d& v) {
    for (int k = 0; k < 3; ++k) add(v[k]);
  }
  [[nodiscard]] std::string text() const {
    char letters[17];
    std::snprintf(letters, sizeof letters, "%016llx", static_cast<unsigned long long>(hash_));
    return letters;
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace

std::string fingerprint(const SceneRun& run) {
  Hash hash;
  for (const KeptEvent& event : run.events) {
    hash.add(event.record.time);
    for (const JumpRecord& jump : event.jumps) {
      hash.add(jump.velocity_after);
      hash.add(jump.angular_velocity_after);
    }
    for (const ContactRecord& contact : event.contacts) hash.add(contact.rate_after);
  }
  hash.add(run.result.final_state.time);
  for (const BodyState& body : run.result.final_state.bodies) {
    hash.add(body.position);
    hash.add(body.orientation.w());
    hash.add(Eigen::Vector3d(body.orientation.vec()));
    hash.add(body.velocity);
    hash.add(body.angular_velocity);
  }
  return hash.text();
}

}  // namespace carom::test
