#include "viewing/filming.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <filesystem>

#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/export/export_folder.h"
#include "carom/export/whole_file.h"
#include "common/compression.h"
#include "common/task_progress.h"

namespace carom::app {
namespace {

Json options_json(const Shot& shot) {
  Json options{{"clean", shot.clean}};
  if (!shot.view.empty()) options["view"] = shot.view;
  if (!shot.follow.empty()) options["follow"] = shot.follow;
  if (!shot.framing.empty()) options["framing"] = shot.framing;
  if (!shot.theme.empty()) options["theme"] = shot.theme;
  if (!shot.compare.empty()) options["compare"] = shot.compare;
  return options;
}

std::string frame_path(const std::string& folder, std::int64_t frame) {
  return (std::filesystem::path(folder) / fmt::format("frame_{:06}.png", frame)).string();
}

std::uint64_t write_whole(const std::string& path, const std::string& bytes) {
  WholeFile file(path);
  file.write(bytes);
  file.keep();
  return bytes.size();
}

std::vector<std::string> encoder_words(VideoFormat format) {
  switch (format) {
    case VideoFormat::mp4:
      return {"-c:v",     "libx264", "-preset",   "medium",     "-crf", "18",
              "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f",   "mp4"};
    case VideoFormat::webm:
      return {"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-pix_fmt", "yuv420p", "-f", "webm"};
    case VideoFormat::gif: break;
  }
  // One palette from the whole film instead of a general one; a pattern that stands still, so that what does not move
  // need not be written again.
  return {"-filter_complex",
          "split[a][b];[a]palettegen[palette];[b][palette]paletteuse=dither=bayer:bayer_scale=5:diff_mode=rectangle",
          "-f", "gif"};
}

std::vector<std::string> ffmpeg_words(const VideoFile& video, const std::string& output, double fps) {
  std::vector<std::string> words{video.ffmpeg, "-nostdin",         "-loglevel", "error", "-f", "image2pipe",
                                 "-framerate", format_number(fps), "-c:v",      "png",   "-i", "pipe:0",
                                 "-an"};
  for (std::string& word : encoder_words(video.format)) words.push_back(std::move(word));
  // file: so that no name is mistaken for an address.
  words.insert(words.end(), {"-y", "file:" + output});
  return words;
}

/// ffmpeg, taking pictures through a pipe.
class Encoder {
 public:
  Encoder(const VideoFile& video, const std::string& output, double fps)
      : path_(video.path), process_(ffmpeg_words(video, output, fps), kPipes) {}

  void add(std::string_view picture) {
    while (!picture.empty()) {
      const ssize_t written = ::write(process_.end_of(0).number(), picture.data(), picture.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail();
      picture.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  /// No more pictures: waits for the end.
  void finish(const std::atomic<bool>& interrupted) {
    process_.end_of(0).close();
    std::optional<int> code;
    while (!code) {
      if (interrupted) throw Interrupted{};
      code = process_.wait(std::chrono::milliseconds(100));
    }
    if (*code != 0) fail();
  }

 private:
  static constexpr std::array kPipes{ChildProcess::Pipe{STDIN_FILENO, true}};

  [[noreturn]] void fail() {
    process_.wait(std::chrono::seconds(5));
    Place place;
    place.file = path_;
    throw InputError(Kind::file, place, "ffmpeg failed: " + process_.complaint());
  }

  std::string path_;
  ChildProcess process_;
};

/// Calls `keep` with the number and the time of every frame, until it is interrupted.
template <class Keep>
FilmingReport for_each_frame(const FrameTimes& times, ProgressStyle style, const Keep& keep) {
  const auto count = static_cast<std::int64_t>(times.count());
  TaskProgress progress(style, fmt::format("{} frames", count));
  FilmingReport report;
  try {
    for (; report.frames < count; ++report.frames) {
      keep(report.frames, times.time(report.frames));
      progress.report(static_cast<double>(report.frames + 1), static_cast<double>(count));
    }
  } catch (const Interrupted&) {
    report.interrupted = true;
  }
  return report;
}

void remove_frames_from(const std::string& folder, std::int64_t first) {
  std::error_code ignored;
  for (std::int64_t frame = first; std::filesystem::remove(frame_path(folder, frame), ignored); ++frame) {
  }
}

}  // namespace

double FrameTimes::count() const {
  // A last frame that is missed by round-off alone belongs to the film.
  constexpr double kRoundOff = 1e-9;
  return std::floor((to - from) * fps / speed * (1.0 + kRoundOff) + kRoundOff) + 1.0;
}

std::string find_ffmpeg() {
  constexpr std::string_view kNames[] = {"ffmpeg"};
  if (const auto found = find_program(kNames)) return *found;
  throw InputError(Kind::file, "", "videos are made by ffmpeg and there is none: install it (Debian: ffmpeg)");
}

Stage::Stage(std::string_view page, PictureSize size, const std::atomic<bool>& interrupted)
    : interrupted_(interrupted), browser_(page, size, interrupted) {}

void Stage::set(const Shot& shot) {
  clean_ = shot.clean;
  browser_.evaluate(fmt::format("window.carom.set({})", options_json(shot).dump()));
}

std::string Stage::clean_picture(const Json& what) {
  const Json data = browser_.evaluate(fmt::format("window.carom.picture({})", what.dump()));
  return base64_decoded(data.is_string() ? data.string() : "");
}

std::string Stage::picture_at(double time) {
  if (clean_) return clean_picture({{"time", time}});
  browser_.evaluate(fmt::format("window.carom.seek({})", format_number(time)));
  return browser_.picture();
}

std::string Stage::picture_of_event(std::int64_t event) {
  if (clean_) return clean_picture({{"event", static_cast<double>(event)}});
  browser_.evaluate(fmt::format("window.carom.seekEvent({})", event));
  return browser_.picture();
}

FilmingReport film_frames(Stage& stage, const FrameTimes& times, const std::string& folder, ProgressStyle style) {
  make_folder(folder);
  std::uint64_t bytes = 0;
  FilmingReport report = for_each_frame(times, style, [&](std::int64_t frame, double time) {
    bytes += write_whole(frame_path(folder, frame), stage.picture_at(time));
  });
  if (!report.interrupted) remove_frames_from(folder, report.frames);
  report.bytes = bytes;
  return report;
}

FilmingReport film_video(Stage& stage, const FrameTimes& times, const VideoFile& video, ProgressStyle style) {
  WholeFile file(video.path);
  Encoder encoder(video, file.part_path(), times.fps);
  FilmingReport report =
      for_each_frame(times, style, [&](std::int64_t /*frame*/, double time) { encoder.add(stage.picture_at(time)); });
  if (report.interrupted) return report;
  encoder.finish(stage.interrupted());
  std::error_code ignored;
  report.bytes = std::filesystem::file_size(file.part_path(), ignored);
  file.keep();
  return report;
}

FilmingReport keep_picture(const std::string& picture, const std::string& path) {
  return {1, write_whole(path, picture), false};
}

}  // namespace carom::app
