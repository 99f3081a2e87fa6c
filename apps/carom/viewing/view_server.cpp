/// The only source that sees the HTTP library.
#include "viewing/view_server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <random>
#include <sstream>
#include <thread>

#include "carom/base/error.h"
#include "carom/base/json.h"
#include "common/compression.h"

namespace carom::app {
namespace {

constexpr const char* kLoopback = "127.0.0.1";
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
    "connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Film that does not fit into one part comes in several: a small first one, so that there is something to see at once,
/// and then as much as the page has already, but not so much that it would stand still while it takes it in.
constexpr std::size_t kMostBytesOfFirstPart = std::size_t{1} << 18;
constexpr std::size_t kMostBytesPerPart = std::size_t{8} << 20;

/// About what somebody with so many rows has.
std::size_t most_bytes_behind(const FilmCounts& first) {
  constexpr std::size_t kUsualRow = 256;
  const std::size_t rows = first.sample + first.energy + first.event;
  return std::clamp(rows * kUsualRow, kMostBytesOfFirstPart, kMostBytesPerPart);
}

/// The settings of a scene that is run again, in bytes.
constexpr std::size_t kMostSettings = std::size_t{16} << 10;

/// A number of digits only; none for everything else.
std::optional<std::size_t> parse_count(const std::string& text) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

/// The rows that a request names; none where one is not a number. What is left out is 0.
std::optional<FilmCounts> parse_counts(const httplib::Request& request) {
  FilmCounts counts;
  const std::pair<const char*, std::size_t*> fields[] = {
      {"sample", &counts.sample}, {"energy", &counts.energy}, {"event", &counts.event}, {"contact", &counts.contact},
      {"jump", &counts.jump},     {"joint", &counts.joint},   {"load", &counts.load},   {"feature", &counts.feature}};
  for (const auto& [name, count] : fields) {
    if (!request.has_param(name)) continue;
    const auto value = parse_count(request.get_param_value(name));
    if (!value) return std::nullopt;
    *count = *value;
  }
  return counts;
}

bool accepts_gzip(const httplib::Request& request) {
  return request.get_header_value("Accept-Encoding").find("gzip") != std::string::npos;
}

/// 128 random bits in hexadecimal.
std::string random_token() {
  std::random_device device;
  std::string token;
  for (int k = 0; k < 4; ++k) token += fmt::format("{:08x}", device() & 0xffffffffU);
  return token;
}

/// Threads for connections, as many as there are: one whose other side says nothing keeps its thread until it times
/// out, and must not keep others waiting.
class ConnectionThreads final : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> work) override {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(work));
    if (idle_ < waiting_.size() && threads_.size() < kMost) threads_.emplace_back([this] { serve(); });
    changed_.notify_one();
  }
  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  static constexpr std::size_t kMost = 512;

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      ++idle_;
      changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
      --idle_;
      if (waiting_.empty()) return;
      const std::function<void()> work = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      work();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::size_t idle_ = 0;
  bool ended_ = false;
  std::vector<std::thread> threads_;
};

void answer_error(httplib::Response& response, int status, const std::string& message) {
  response.status = status;
  response.set_content(message + "\n", "text/plain; charset=utf-8");
}

}  // namespace

class ViewServer::Implementation {
 public:
  Implementation(std::string_view page, std::vector<FilmSource*> films, int port)
      : page_(page), films_(std::move(films)) {
    configure();
    add_routes();
    bind(port);
    // The library lets five connections wait to be accepted; the next would have to try again after a second.
    constexpr int kWaiting = 256;
    ::listen(listening_, kWaiting);
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    // stop() before the loop has begun would be lost.
    while (!server_.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  ~Implementation() {
    server_.stop();
    thread_.join();
  }

  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] const std::string& token() const { return token_; }
  [[nodiscard]] double idle_time() const {
    return std::chrono::duration<double>(Clock::now().time_since_epoch() - last_request_.load()).count();
  }

 private:
  using Clock = std::chrono::steady_clock;

  void configure() {
    server_.set_default_headers({{"Content-Security-Policy", kPolicy},
                                 {"X-Content-Type-Options", "nosniff"},
                                 {"Cross-Origin-Resource-Policy", "same-origin"},
                                 {"Referrer-Policy", "no-referrer"},
                                 {"Cache-Control", "no-store"}});
    // The library's own choice would let two servers share a port.
    server_.set_socket_options([this](socket_t socket) {
      listening_ = socket;
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server_.set_payload_max_length(kMostSettings);
    server_.set_keep_alive_timeout(2);
    server_.set_read_timeout(2);
    server_.new_task_queue = [] { return new ConnectionThreads; };
    server_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      last_request_ = Clock::now().time_since_epoch();
      const bool is_rerun = request.method == "POST" && request.path.ends_with("/rerun");
      if (request.method != "GET" && !is_rerun) {
        response.set_header("Allow", "GET");
        answer_error(response, 405, "only GET is answered");
      } else if (!is_for_us(request)) {
        answer_error(response, 403, "the request is not for this host");
      } else if (!request.path.starts_with("/" + token_ + "/")) {
        answer_error(response, 403, "the address is the one that was printed, with its random part");
      } else {
        return httplib::Server::HandlerResponse::Unhandled;
      }
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.set_exception_handler(
        [](const httplib::Request& /*request*/, httplib::Response& response, const std::exception_ptr& /*problem*/) {
          answer_error(response, 500, "this could not be answered");
        });
  }

  [[nodiscard]] bool is_for_us(const httplib::Request& request) const {
    const std::string host = request.get_header_value("Host");
    return request.get_header_value_count("Host") == 1 &&
           (host == fmt::format("{}:{}", kLoopback, port_) || host == fmt::format("localhost:{}", port_));
  }

  void add_routes() {
    const std::string begin = "/" + token_;
    server_.Get(begin + "/", [this](const httplib::Request& request, httplib::Response& response) {
      answer_page(request, response);
    });
    server_.Get(begin + "/films", [this](const httplib::Request& /*request*/, httplib::Response& response) {
      response.set_content(films_json(), "application/json");
    });
    server_.Get(begin + R"(/film/(\d{1,9}))", [this](const httplib::Request& request, httplib::Response& response) {
      answer_film(request, response);
    });
    server_.Post(
        begin + R"(/film/(\d{1,9})/rerun)",
        [this](const httplib::Request& request, httplib::Response& response) { answer_rerun(request, response); });
  }

  /// One setting in each line.
  void answer_rerun(const httplib::Request& request, httplib::Response& response) const {
    const auto number = parse_count(request.matches[1].str());
    if (!number || *number >= films_.size() || !films_[*number]->can_rerun())
      return answer_error(response, 404, "there is no scene to be run again");
    std::vector<std::string> settings;
    std::istringstream lines(request.body);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) settings.push_back(line);
    }
    try {
      films_[*number]->rerun(settings);
      response.set_content("{}", "application/json");
    } catch (const InputError& error) {
      answer_error(response, 400, error.what());
    }
  }

  /// As a stream, which the library does not compress: to make the page as small as it can it would take seconds.
  void answer_page(const httplib::Request& request, httplib::Response& response) const {
    const bool is_small = accepts_gzip(request);
    if (is_small) response.set_header("Content-Encoding", "gzip");
    const auto bytes = std::make_shared<const std::string>(is_small ? gzip(std::string(page_), GzipEffort::quick)
                                                                    : std::string(page_));
    response.set_content_provider(bytes->size(), "text/html; charset=utf-8",
                                  [bytes](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                                    return sink.write(bytes->data() + offset, length);
                                  });
  }

  [[nodiscard]] std::string films_json() const {
    Json films = Json::array();
    for (FilmSource* const film : films_) {
      Json json{{"name", film->name()}, {"live", film->live()}};
      if (film->can_rerun()) json["rerun"] = true;
      films.push_back(std::move(json));
    }
    return Json{{"films", films}}.dump();
  }

  void answer_film(const httplib::Request& request, httplib::Response& response) const {
    const auto number = parse_count(request.matches[1].str());
    if (!number || *number >= films_.size()) return answer_error(response, 404, "there is no such film");
    auto counts = parse_counts(request);
    if (!counts)
      return answer_error(response, 400,
                          "sample, energy, event, contact, jump, joint, load and feature are numbers of rows");
    // Rows of another run are of no use.
    const std::string run = request.get_param_value("run");
    if (!run.empty() && run != std::to_string(films_[*number]->run())) *counts = {};
    std::string bytes = films_[*number]->part(*counts, most_bytes_behind(*counts));
    if (accepts_gzip(request)) {
      bytes = gzip(bytes, GzipEffort::quick);
      response.set_header("Content-Encoding", "gzip");
    }
    response.set_content(bytes, "application/octet-stream");
  }

  void bind(int port) {
    if (port == 0) {
      port_ = server_.bind_to_any_port(kLoopback);
      if (port_ > 0) return;
    } else if (server_.bind_to_port(kLoopback, port)) {
      port_ = port;
      return;
    }
    throw InputError(Kind::file, "--port",
                     port == 0
                         ? "no port of this computer is free to serve the viewer"
                         : fmt::format("port {} is taken or not allowed; without --port any free one serves", port));
  }

  std::string_view page_;
  std::vector<FilmSource*> films_;
  const std::string token_ = random_token();
  int port_ = 0;
  socket_t listening_ = INVALID_SOCKET;
  httplib::Server server_;
  std::atomic<Clock::duration> last_request_{Clock::now().time_since_epoch()};
  std::thread thread_;
};

ViewServer::ViewServer(std::string_view page, std::vector<FilmSource*> films, int port)
    : implementation_(std::make_unique<Implementation>(page, std::move(films), port)) {}

ViewServer::~ViewServer() = default;

int ViewServer::port() const {
  return implementation_->port();
}

std::string ViewServer::address() const {
  return fmt::format("http://{}:{}/{}/", kLoopback, port(), implementation_->token());
}

double ViewServer::idle_time() const {
  return implementation_->idle_time();
}

}  // namespace carom::app
