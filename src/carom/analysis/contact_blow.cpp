#include "carom/analysis/contact_blow.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/engine/engine_registry.h"

namespace carom {
namespace {

constexpr std::size_t kBlowBlock = 1024;

/// ∫g from 0 to s; M at s = 1.
double rise(double mean, double s) {
  const double n = 2.0 / mean - 2.0;
  return std::pow(s, n + 1.0) * (1.0 - n * s / (n + 2.0));
}

/// ∫∫g from 0 to s.
double rise_integral(double mean, double s) {
  const double n = 2.0 / mean - 2.0;
  return std::pow(s, n + 2.0) / (n + 2.0) * (1.0 - n * s / (n + 3.0));
}

/// The means of g that a force can have.
constexpr double kLeastMean = 0.05, kGreatestMean = 0.95;

/// A contact that was closed without force for most of its time: what it did is put where its force was the greatest,
/// for as long as Hertz's contact would have needed for it.
void leave_out_idle_time(ContactBlow& blow, double mean) {
  constexpr double kLeastUsualMean = 0.1, kHertzMean = 0.54;
  if (mean >= kLeastUsualMean) return;
  const double needed = blow.duration() * mean / kHertzMean;
  const double fall = std::min(blow.ended - blow.peak, 0.5 * needed),
               rise = std::min(blow.peak - blow.began, 0.5 * needed);
  blow.began = blow.peak - std::min(needed - fall, blow.peak - blow.began);
  blow.ended = blow.peak + std::min(needed - rise, blow.ended - blow.peak);
  blow.mean_rising = blow.mean_falling = kHertzMean;
  blow.rate_before = blow.rate_after = 0.0;  // they do not tell of that time
}

/// With the mean force kept, the means on both sides that put the middle of the impulse where the gap rates want it.
void fit(ContactBlow& blow) {
  const double up = blow.peak - blow.began, down = blow.ended - blow.peak, change = blow.rate_after - blow.rate_before;
  if (!(up > 0.0 && down > 0.0 && blow.rate_before < 0.0 && blow.rate_after > 0.0)) return;
  const double mean = blow.mean_rising;  // of the whole
  const double wanted = blow.duration() * -blow.rate_before / change;
  ContactBlow trial = blow;
  const auto excess = [&](double rising) {
    trial.mean_rising = rising;
    trial.mean_falling = (mean * blow.duration() - up * rising) / down;
    return trial.lag(blow.ended) - wanted;
  };
  double low = std::max(kLeastMean, (mean * blow.duration() - kGreatestMean * down) / up);
  double high = std::min(kGreatestMean, (mean * blow.duration() - kLeastMean * down) / up);
  if (!(low < high && excess(low) < 0.0 && excess(high) > 0.0)) return;
  for (int i = 0; i < 60 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    (excess(middle) < 0.0 ? low : high) = middle;
  }
  (void)excess(low);
  blow = trial;
}

}  // namespace

double ContactBlow::share(double time) const {
  if (time <= began) return 0.0;
  if (time >= ended) return 1.0;
  const double up = peak - began, down = ended - peak, whole = up * mean_rising + down * mean_falling;
  if (time < peak) return up * rise(mean_rising, (time - began) / up) / whole;
  return 1.0 - down * rise(mean_falling, (ended - time) / down) / whole;
}

double ContactBlow::lag(double time) const {
  if (time <= began) return 0.0;
  if (time > ended) return lag(ended) + (time - ended);
  const double up = peak - began, down = ended - peak, whole = up * mean_rising + down * mean_falling;
  if (time < peak) return up * up * rise_integral(mean_rising, (time - began) / up) / whole;
  const double to_come = down > 0.0 ? rise_integral(mean_falling, (ended - time) / down) : 0.0;
  const double fallen = rise_integral(mean_falling, 1.0) - to_come;
  return (up * up * rise_integral(mean_rising, 1.0) - down * down * fallen) / whole + (time - peak);
}

void fit_lone_blows(std::vector<ContactBlow>& blows, int bodies) {
  const auto share_a_body = [bodies](const ContactBlow& one, const ContactBlow& other) {
    const auto is_of = [&](ObjectIndex object) {
      return object != kNone && object < bodies && (object == other.a || object == other.b);
    };
    return is_of(one.a) || is_of(one.b);
  };
  for (ContactBlow& blow : blows) {
    const bool is_alone = std::none_of(blows.begin(), blows.end(), [&](const ContactBlow& other) {
      return &other != &blow && other.began < blow.ended && other.ended > blow.began && share_a_body(blow, other);
    });
    if (is_alone) fit(blow);
  }
}

bool has_contact_forces(std::string_view engine) {
  const auto kinds = engine_kinds();
  return std::any_of(kinds.begin(), kinds.end(),
                     [engine](const EngineKind& kind) { return kind.name == engine && kind.has_forces; });
}

std::optional<ContactBlow> blow_of(const EventRecord& event, const ContactRecord& contact) {
  if (!contact.course || contact.limit.exists()) return std::nullopt;
  const ContactCourse& course = *contact.course;
  ContactBlow blow{contact.a, contact.b, course.began, course.peak_time, event.time};
  if (!(blow.began < blow.ended) || blow.peak < blow.began || blow.peak > blow.ended) return std::nullopt;
  blow.impulse = contact.impulse * contact.normal + contact.tangential_impulse;
  blow.point = contact.point;
  blow.loss = -event.energy.contact_work;
  const double full = course.peak_force * blow.duration();
  if (!(full > 0.0)) return std::nullopt;
  const double mean = contact.impulse / full;
  blow.mean_rising = blow.mean_falling = std::clamp(mean, kLeastMean, kGreatestMean);
  blow.rate_before = contact.rate_before;
  blow.rate_after = contact.rate_after;
  leave_out_idle_time(blow, mean);
  return blow;
}

BlowReader::BlowReader(RecordReader& record) : record_(record) {
  has_blows_ = has_contact_forces(record.info().engine);
  read_until_ = -std::numeric_limits<double>::infinity();
}

void BlowReader::read_until(double time) {
  while (read_until_ <= time && next_ < record_.event_count()) {
    const EventBlock block = record_.events(next_, std::min(kBlowBlock, record_.event_count() - next_));
    for (const EventRecord& event : block.events) {
      for (const ContactRecord& contact : event.contacts) {
        if (const auto blow = blow_of(event, contact)) waiting_.push_back(*blow);
      }
    }
    next_ += block.events.size();
    read_until_ = block.events.back().time;
  }
}

std::vector<ContactBlow> BlowReader::between(double start, double end) {
  if (!has_blows_) return {};
  if (start < last_start_ || next_ == 0) {
    waiting_.clear();
    next_ = record_.first_event_from(start);
    read_until_ = -std::numeric_limits<double>::infinity();
  }
  last_start_ = start;
  const double step = end - start;
  read_until(end + 2.0 * step);
  while (!waiting_.empty() && waiting_.front().ended <= start) waiting_.pop_front();
  std::vector<ContactBlow> blows;
  for (const ContactBlow& blow : waiting_) {
    if (blow.began < end && blow.ended > start && is_blow_within(blow, step)) blows.push_back(blow);
  }
  return blows;
}

}  // namespace carom
