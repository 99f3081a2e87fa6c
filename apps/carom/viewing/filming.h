#pragma once
/// Pictures and films of films: frame by frame, each seeked to its time, through a browser and for videos ffmpeg.

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/progress.h"
#include "viewing/headless_browser.h"

namespace carom::app {

/// What is in the picture.
struct Shot {
  std::string view;     ///< `iso`, `front`, `side`, `top`; empty: as the page chooses
  std::string follow;   ///< name of a body; empty: none
  std::string framing;  ///< `way`, `bodies`; empty: as the page chooses
  std::string theme;    ///< `light`, `dark`; empty: as the page chooses
  std::string compare;  ///< `side`, `ghosts`; empty: as the page chooses
  bool clean = true;    ///< without panels
};

/// Frame k shows the time from + k · speed/fps, as long as that is not beyond `to`.
struct FrameTimes {
  double from = 0.0;   ///< [s]
  double to = 0.0;     ///< [s]
  double fps = 30.0;   ///< frames per second of film
  double speed = 1.0;  ///< model seconds per second of film

  [[nodiscard]] double count() const;
  [[nodiscard]] double time(std::int64_t frame) const { return from + static_cast<double>(frame) * speed / fps; }
};

/// Files that were made.
struct FilmingReport {
  std::int64_t frames = 0;
  std::uint64_t bytes = 0;
  bool interrupted = false;
};

enum class VideoFormat { mp4, webm, gif };

/// How ffmpeg is called; found on PATH. Throws InputError (file) where it is not.
std::string find_ffmpeg();

/// The page, with films inside, on stage: open in a browser that shows what it is asked for.
class Stage {
 public:
  /// `interrupted` ends everything early. Throws InputError (file).
  Stage(std::string_view page, PictureSize size, const std::atomic<bool>& interrupted);

  void set(const Shot& shot);
  /// PNG.
  std::string picture_at(double time);
  /// At an event, counted from 0 over the film, with its arrows.
  std::string picture_of_event(std::int64_t event);
  [[nodiscard]] const std::atomic<bool>& interrupted() const { return interrupted_; }

 private:
  /// Of the film alone, which the page makes itself: faster than a picture of the page. `what` is a time or an event.
  std::string clean_picture(const Json& what);

  const std::atomic<bool>& interrupted_;
  bool clean_ = true;
  HeadlessBrowser browser_;
};

/// `frame_000000.png` and so on into a folder, which is made. Frames with higher numbers, of an earlier and longer
/// film, are removed. Where it is interrupted, the frames so far stay.
FilmingReport film_frames(Stage& stage, const FrameTimes& times, const std::string& folder, ProgressStyle style);

struct VideoFile {
  std::string path;
  VideoFormat format;
  std::string ffmpeg;
};

/// One file. Where it is interrupted, none, and perhaps Interrupted is thrown.
FilmingReport film_video(Stage& stage, const FrameTimes& times, const VideoFile& video, ProgressStyle style);

/// One file with one picture.
FilmingReport keep_picture(const std::string& picture, const std::string& path);

}  // namespace carom::app
