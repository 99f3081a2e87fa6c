#include "viewing/export_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/base/number.h"

namespace carom::app {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double read_number(const Arguments& arguments, std::string_view option, double otherwise) {
  const auto text = arguments.value(option);
  return text ? parse_number(*text, option) : otherwise;
}

double read_positive(const Arguments& arguments, std::string_view option, double otherwise) {
  const double value = read_number(arguments, option, otherwise);
  if (value > 0.0) return value;
  throw InputError(Kind::out_of_range, std::string(option), fmt::format("{} is {}; it must be > 0", option, value));
}

std::optional<std::int64_t> read_whole(const Arguments& arguments, std::string_view option, double least, double most) {
  const auto text = arguments.value(option);
  if (!text) return std::nullopt;
  const double value = parse_number(*text, option);
  if (value == std::floor(value) && value >= least && value <= most) return static_cast<std::int64_t>(value);
  throw InputError(
      Kind::out_of_range, std::string(option),
      fmt::format("{} is {}; it must be a whole number from {:.0f} to {:.0f}", option, *text, least, most));
}

PictureSize read_size(const Arguments& arguments) {
  const auto text = arguments.value("--size");
  if (!text) return {};
  const std::size_t cross = text->find('x');
  const auto side = [&text](std::size_t begin, std::size_t end) {
    const NumberText number = carom::read_number(std::string_view(*text).substr(begin, end - begin));
    const bool good = number.status == NumberStatus::good && number.value == std::floor(number.value) &&
                      number.value >= 16 && number.value <= 7680;
    return good ? static_cast<int>(number.value) : 0;
  };
  PictureSize size{0, 0};
  if (cross != std::string::npos) size = {side(0, cross), side(cross + 1, text->size())};
  if (size.width > 0 && size.height > 0) return size;
  throw InputError(Kind::out_of_range, "--size",
                   fmt::format("--size is '{}'; it must be as 1280x720, with sides from 16 to 7680", *text));
}

/// Reads --view into the shot; a body that is followed must be one of these.
void read_view(const Arguments& arguments, const std::vector<std::string>& bodies, Shot& shot) {
  const auto text = arguments.value("--view");
  if (!text) return;
  constexpr std::string_view kFollow = "follow:";
  constexpr std::string_view kViews[] = {"iso", "front", "side", "top", kFollow};
  if (text->starts_with(kFollow)) {
    shot.follow = text->substr(kFollow.size());
    if (std::find(bodies.begin(), bodies.end(), shot.follow) != bodies.end()) return;
    const std::vector<std::string_view> known(bodies.begin(), bodies.end());
    throw InputError(Kind::unknown_name, "--view", unknown_name_message("body", shot.follow, known));
  }
  shot.view = *text;
  if (std::find(std::begin(kViews), std::end(kViews), *text) == std::end(kViews)) {
    throw InputError(Kind::unknown_name, "--view", unknown_name_message("view", *text, kViews));
  }
}

/// By the ending of its name.
VideoFormat video_format(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".mp4") return VideoFormat::mp4;
  if (extension == ".webm") return VideoFormat::webm;
  if (extension == ".gif") return VideoFormat::gif;
  throw InputError(
      Kind::unsupported, "--video",
      fmt::format("'{}' is no kind of video that can be made; the name must end with .mp4, .webm or .gif", path));
}

void require_png(const std::string& path) {
  if (std::filesystem::path(path).extension() == ".png") return;
  throw InputError(Kind::unsupported, "--picture",
                   fmt::format("'{}' is no kind of picture that can be made; the name must end with .png", path));
}

/// What the samples of the records cover, and how that meets the span that was asked for.
struct CoveredTime {
  double first = kInfinity;  ///< of all samples
  double last = -kInfinity;
  TimeSpan around;  ///< from the last sample before the span to the first one behind it
};

CoveredTime covered_time(const std::vector<std::unique_ptr<RecordReader>>& records, const TimeSpan& span) {
  CoveredTime covered;
  covered.around = {kInfinity, -kInfinity};
  for (const auto& record : records) {
    const std::vector<double> times = record->series("/time", 0, record->sample_count());
    if (times.empty()) continue;
    covered.first = std::min(covered.first, times.front());
    covered.last = std::max(covered.last, times.back());
    const auto behind = std::upper_bound(times.begin(), times.end(), span.from);
    const auto end = std::lower_bound(times.begin(), times.end(), span.to);
    covered.around.from = std::min(covered.around.from, behind == times.begin() ? times.front() : behind[-1]);
    covered.around.to = std::max(covered.around.to, end == times.end() ? times.back() : *end);
  }
  return covered;
}

void read_times(const Arguments& arguments, const std::vector<std::unique_ptr<RecordReader>>& records,
                const SampleChoice& choice, FilmingPlan& plan) {
  const CoveredTime covered = covered_time(records, choice.span);
  plan.times.from = std::max(covered.first, choice.span.from);
  plan.times.to = std::min(covered.last, choice.span.to);
  if (!(plan.times.from <= plan.times.to)) {
    throw InputError(Kind::out_of_range, "--from", "the record has no samples in that time");
  }
  plan.choice = {covered.around, choice.every};
  plan.at = read_number(arguments, "--at", plan.times.from);
  if (plan.at < plan.times.from || plan.at > plan.times.to) {
    throw InputError(Kind::out_of_range, "--at",
                     fmt::format("--at is {}; the film goes from {} to {} s", plan.at, plan.times.from, plan.times.to));
  }
  constexpr double kMostFrames = 1e6;
  const bool moving = arguments.has("--frames") || arguments.has("--video");
  if (moving && plan.times.count() > kMostFrames) {
    throw InputError(Kind::out_of_range, "--speed",
                     fmt::format("that would be {:.3g} frames; choose a larger --speed or less time by --from and --to",
                                 plan.times.count()));
  }
}

void read_event(const Arguments& arguments, const RecordReader& record, FilmingPlan& plan) {
  if (!arguments.has("--event")) return;
  for (const std::string_view other : {"--at", "--from", "--to"}) {
    if (arguments.has(other)) {
      throw InputError(Kind::usage, "--event", fmt::format("--event and {} exclude each other", other));
    }
  }
  if (record.event_count() == 0) throw InputError(Kind::out_of_range, "--event", "the record has no events");
  plan.event = read_whole(arguments, "--event", 0.0, static_cast<double>(record.event_count() - 1));
}

}  // namespace

SampleChoice read_choice(const Arguments& arguments) {
  SampleChoice choice;
  choice.span = {read_number(arguments, "--from", -kInfinity), read_number(arguments, "--to", kInfinity)};
  if (choice.span.from > choice.span.to) {
    throw InputError(Kind::out_of_range, "--to",
                     fmt::format("--to is {} and lies before --from, {}", choice.span.to, choice.span.from));
  }
  choice.every = static_cast<std::size_t>(read_whole(arguments, "--every", 1.0, 1e9).value_or(1));
  return choice;
}

void require_plain_target(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return;
  Place place;
  place.file = path;
  throw InputError(Kind::file, place,
                   fmt::format("cannot write '{}': {}", path,
                               std::filesystem::is_directory(status) ? "it is a folder" : "it is not a plain file"));
}

double read_limit(const Arguments& arguments) {
  return read_positive(arguments, "--limit", 100.0);
}

FilmingPlan read_filming_plan(const Arguments& arguments, const std::vector<std::unique_ptr<RecordReader>>& records,
                              const SampleChoice& choice) {
  FilmingPlan plan;
  plan.times.fps = read_positive(arguments, "--fps", plan.times.fps);
  plan.times.speed = read_positive(arguments, "--speed", plan.times.speed);
  plan.size = read_size(arguments);
  plan.shot.theme = arguments.value("--theme").value_or("");
  plan.shot.framing = arguments.value("--framing").value_or("");
  plan.shot.compare = arguments.value("--compare").value_or("");
  const RecordInfo& info = records.front()->info();
  read_view(arguments, {info.objects.begin(), info.objects.begin() + static_cast<std::ptrdiff_t>(info.bodies)},
            plan.shot);
  read_times(arguments, records, choice, plan);
  read_event(arguments, *records.front(), plan);
  if (const auto path = arguments.value("--picture")) require_png(*path);
  if (const auto path = arguments.value("--video")) {
    plan.video = {*path, video_format(*path), find_ffmpeg()};
    if (plan.size.width % 2 != 0 || plan.size.height % 2 != 0) {
      throw InputError(Kind::out_of_range, "--size", "the sides of a video must be even numbers");
    }
  }
  return plan;
}

}  // namespace carom::app
