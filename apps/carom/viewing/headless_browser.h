#pragma once
/// A browser without a window that opens the viewer's page and shows what its script asks for.
///
/// Chromium is driven by the DevTools protocol over two pipes (--remote-debugging-pipe): JSON messages, each ended by a
/// zero byte. No port is opened. Its profile and the page lie in a folder of their own, which is removed at the end.

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "carom/base/activity.h"
#include "carom/base/json.h"
#include "viewing/child_process.h"

namespace carom::app {

struct PictureSize {
  int width = 1280;
  int height = 720;
};

/// A folder in the temporary folder that is removed with all that is in it.
class TemporaryFolder {
 public:
  /// Throws InputError (file).
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class HeadlessBrowser {
 public:
  /// Starts the browser and opens the page. Throws InputError (file) where there is no browser or it does not work.
  HeadlessBrowser(std::string_view page, PictureSize size, const std::atomic<bool>& interrupted);
  ~HeadlessBrowser();
  HeadlessBrowser(const HeadlessBrowser&) = delete;
  HeadlessBrowser& operator=(const HeadlessBrowser&) = delete;

  /// The value of a script's expression; where that is a promise, what it comes to. Throws InputError (file) with the
  /// script's own words where it fails.
  Json evaluate(const std::string& expression);

  /// What is shown now, as PNG.
  std::string picture();

 private:
  Json call(const std::string& method, Json parameters);
  void send(const std::string& message);
  Json receive();
  [[noreturn]] void give_up(const std::string& reason);

  const std::atomic<bool>& interrupted_;
  TemporaryFolder folder_;
  std::unique_ptr<ChildProcess> browser_;
  std::string session_;
  std::string received_;  ///< not yet a whole message
  int last_call_ = 0;
};

}  // namespace carom::app
