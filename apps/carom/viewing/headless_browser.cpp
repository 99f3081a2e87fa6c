#include "viewing/headless_browser.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>

#include "carom/base/error.h"
#include "carom/scene/document/json_value.h"
#include "common/compression.h"
#include "common/write_file.h"

namespace carom::app {
namespace {

using Clock = std::chrono::steady_clock;

/// Longest that anything may take: a picture of ten thousand bodies without a graphics card needs some time.
constexpr std::chrono::seconds kPatience{180};

std::string find_browser() {
  if (const char* const chosen = std::getenv("CAROM_BROWSER"); chosen != nullptr && *chosen != '\0') return chosen;
  // The first is the same engine without a desktop's browser around it, and starts in a third of the time.
  constexpr std::string_view kNames[] = {"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
                                         "google-chrome-stable"};
  if (const auto found = find_program(kNames)) return *found;
  throw InputError(Kind::file, "",
                   "pictures are drawn by a browser and there is none: install one (Debian: chromium-headless-shell, "
                   "or chromium), or name one by the environment variable CAROM_BROWSER");
}

std::vector<std::string> browser_words(const std::string& folder, PictureSize size) {
  std::vector<std::string> words{
      find_browser(), "--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + folder + "/profile",
      fmt::format("--window-size={},{}", size.width, size.height),
      // WebGL without a graphics card, the same pixels on every computer.
      "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing",
      // One page needs no process of its own for drawing.
      "--in-process-gpu", "--disable-breakpad", "--force-color-profile=srgb", "--hide-scrollbars", "--mute-audio",
      "--no-first-run", "--no-default-browser-check", "--disable-background-networking", "--disable-component-update",
      "--disable-default-apps", "--disable-dev-shm-usage", "--disable-extensions", "--disable-sync",
      "--metrics-recording-only"};
  // Chromium refuses to start for root otherwise.
  if (::geteuid() == 0) words.emplace_back("--no-sandbox");
  words.emplace_back("about:blank");
  return words;
}

/// A path as a file: address; every byte that could mean something else is escaped.
std::string file_address(const std::string& path) {
  std::string address = "file://";
  for (const char letter : path) {
    const bool plain = (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= 'a' && letter <= 'z') || letter == '/' || letter == '-' || letter == '_' ||
                       letter == '.';
    address += plain ? std::string(1, letter) : fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  return address;
}

/// The field of an answer, null where there is none.
Json field(const Json& answer, std::string_view key) {
  const Json* const found = answer.find(key);
  return found == nullptr ? Json() : *found;
}

/// The field where it is a text.
std::string text_of(const Json& answer, std::string_view key, std::string otherwise = "") {
  const Json* const found = answer.find(key);
  return found != nullptr && found->is_string() ? found->string() : std::move(otherwise);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  path_ = (std::filesystem::temp_directory_path(error) / "carom-XXXXXX").string();
  if (!error && ::mkdtemp(path_.data()) == nullptr) error = std::error_code(errno, std::generic_category());
  if (error) throw InputError(Kind::file, "", "cannot make a temporary folder: " + error.message());
}

TemporaryFolder::~TemporaryFolder() {
  // Helpers of a browser that was killed may write for a moment longer.
  constexpr int kMostTries = 20;
  std::error_code error;
  for (int i = 0; i < kMostTries; ++i) {
    std::filesystem::remove_all(path_, error);
    if (!error) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

HeadlessBrowser::HeadlessBrowser(std::string_view page, PictureSize size, const std::atomic<bool>& interrupted)
    : interrupted_(interrupted) {
  constexpr std::array kPipes{ChildProcess::Pipe{3, true}, ChildProcess::Pipe{4, false}};
  browser_ = std::make_unique<ChildProcess>(browser_words(folder_.path(), size), kPipes);
  const std::string file = folder_.path() + "/page.html";
  write_file(file, std::string(page), "page");

  const Json target = call("Target.createTarget", {{"url", "about:blank"}});
  const Json session = call("Target.attachToTarget", {{"targetId", field(target, "targetId")}, {"flatten", true}});
  session_ = text_of(session, "sessionId");
  call("Emulation.setDeviceMetricsOverride",
       {{"width", size.width}, {"height", size.height}, {"deviceScaleFactor", 1}, {"mobile", false}});
  call("Inspector.enable", Json::object());
  call("Page.enable", Json::object());
  // Nothing is drawn but what is asked for.
  call("Page.navigate", {{"url", file_address(file) + "#clean&on-demand"}});
  // The script of the page that was there before is gone only when this event comes.
  while (text_of(receive(), "method") != "Page.loadEventFired") {
  }
  evaluate("new Promise((go, no) => window.carom ? window.carom.ready.then(() => go(), no) : no('it did not start'))");
}

HeadlessBrowser::~HeadlessBrowser() {
  // It ends when its pipe closes; where it does not, it is killed.
  browser_->end_of(0).close();
  browser_->wait(std::chrono::seconds(5));
}

Json HeadlessBrowser::evaluate(const std::string& expression) {
  const Json answer =
      call("Runtime.evaluate", {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (const Json* const details = answer.find("exceptionDetails")) {
    give_up("the viewer says: " +
            text_of(field(*details, "exception"), "description", text_of(*details, "text", "error")));
  }
  return field(field(answer, "result"), "value");
}

std::string HeadlessBrowser::picture() {
  const Json answer = call("Page.captureScreenshot", {{"format", "png"}});
  return base64_decoded(text_of(answer, "data"));
}

Json HeadlessBrowser::call(const std::string& method, Json parameters) {
  Json message{{"id", ++last_call_}, {"method", method}, {"params", std::move(parameters)}};
  if (!session_.empty()) message["sessionId"] = session_;
  send(message.dump());
  for (;;) {
    Json answer = receive();
    if (text_of(answer, "method") == "Inspector.targetCrashed") give_up("the page crashed, for want of memory?");
    const Json* const id = answer.find("id");
    if (id == nullptr || !id->is_number() || id->number() != last_call_) continue;  // an event
    if (const Json* const error = answer.find("error")) give_up(text_of(*error, "message", "error"));
    return field(answer, "result");
  }
}

void HeadlessBrowser::send(const std::string& message) {
  // With its end, a zero byte.
  std::string_view left(message.c_str(), message.size() + 1);
  while (!left.empty()) {
    const ssize_t written = ::write(browser_->end_of(0).number(), left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) give_up("it has ended");
    left.remove_prefix(static_cast<std::size_t>(written));
  }
}

Json HeadlessBrowser::receive() {
  const auto deadline = Clock::now() + kPatience;
  std::size_t searched = 0;
  for (;;) {
    const std::size_t end = received_.find('\0', searched);
    if (end != std::string::npos) {
      std::optional<Json> message = scene::parse_json_object(received_.substr(0, end));
      received_.erase(0, end + 1);
      if (!message) give_up("it sent something that is no message");
      return std::move(*message);
    }
    searched = received_.size();
    if (interrupted_) throw Interrupted{};
    if (Clock::now() > deadline) give_up("it does not answer");
    constexpr int kLookAroundAfter = 100;  // [ms]
    pollfd waiting{browser_->end_of(1).number(), POLLIN, 0};
    if (::poll(&waiting, 1, kLookAroundAfter) <= 0) continue;
    char buffer[1 << 16];
    const ssize_t count = ::read(waiting.fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) give_up("it has ended");
    received_.append(buffer, static_cast<std::size_t>(count));
  }
}

void HeadlessBrowser::give_up(const std::string& reason) {
  std::string message = "the browser that draws the pictures failed: " + reason;
  if (reason == "it has ended") {
    browser_->wait(std::chrono::seconds(1));
    if (const std::string complaint = browser_->complaint(); !complaint.empty()) message += ": " + complaint;
  }
  throw InputError(Kind::file, "", message);
}

}  // namespace carom::app
