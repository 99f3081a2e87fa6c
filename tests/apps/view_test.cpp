/// `carom view` as a browser meets it.

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "apps/tool.h"
#include "carom/record/record_writer.h"
#include "carom/scene/scene_file.h"
#include "support/decoded_film.h"
#include "support/gunzip.h"
#include "support/places.h"

namespace carom::test {
namespace {

using nlohmann::json;

#ifdef CAROM_HAS_VIEWER

/// A ball that bounces for ever.
const char* const kScene = R"(format = 1
title = "a ball"
[world]
gravity = [0, 0, -9.81]
[run]
duration = 2
output_step = 0.01
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
position = [0, 0, 1.1]
[[plane]]
name = "floor"
normal = [0, 0, 1]
)";

/// The tool in the background.
class Viewer {
 public:
  explicit Viewer(std::vector<std::string> arguments) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    output_ = ends[0];
    arguments.insert(arguments.begin(), {tool_path(), "view", "--no-browser", "--exit-when-idle", "60"});
    std::vector<char*> words;
    for (std::string& word : arguments) words.push_back(word.data());
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    EXPECT_EQ(::posix_spawn(&id_, words.front(), &actions, nullptr, words.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    const std::string address = line();
    const std::string begin = "http://127.0.0.1:";
    EXPECT_EQ(address.substr(0, begin.size()), begin) << address;
    port = std::atoi(address.substr(begin.size()).c_str());
    token = address.substr(address.find('/', begin.size()));
    EXPECT_EQ(token.size(), 34u) << address;  // 128 bits between two slashes
    EXPECT_EQ(token.back(), '/') << address;
  }

  ~Viewer() {
    if (id_ != 0) finish(SIGKILL);
    ::close(output_);
  }
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  /// Sends the signal and waits: the exit code, 128 + signal where it was killed.
  int finish(int signal) {
    ::kill(id_, signal);
    int status = 0;
    ::waitpid(id_, &status, 0);
    id_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  std::string line() {
    std::string text;
    for (char letter = 0; ::read(output_, &letter, 1) == 1 && letter != '\n';) text += letter;
    return text;
  }

  int port = 0;
  std::string token;  ///< with the slashes around it

 private:
  pid_t id_ = 0;
  int output_ = -1;
};

struct Answer {
  int status = 0;
  std::string head, body;
};

/// A connection to a port of this computer.
int connected(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  return socket;
}

/// Sends these bytes and reads until the connection is closed.
Answer conversation(int port, const std::string& request) {
  const int socket = connected(port);
  EXPECT_EQ(::send(socket, request.data(), request.size(), MSG_NOSIGNAL), static_cast<ssize_t>(request.size()));
  std::string text;
  char buffer[1 << 16];
  for (ssize_t count = 0; (count = ::recv(socket, buffer, sizeof buffer, 0)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(socket);
  const std::size_t end = text.find("\r\n\r\n");
  Answer answer;
  if (text.size() > 12) answer.status = std::atoi(text.substr(9, 3).c_str());
  answer.head = text.substr(0, end);
  if (end != std::string::npos) answer.body = text.substr(end + 4);
  return answer;
}

/// `path` begins with a slash and stands behind the token.
Answer get(const Viewer& viewer, const std::string& path, const std::string& headers = "") {
  const int port = viewer.port;
  return conversation(port, "GET " + viewer.token + path.substr(1) + " HTTP/1.1\r\nHost: 127.0.0.1:" +
                                std::to_string(port) + "\r\nConnection: close\r\n" + headers + "\r\n");
}

Answer ask_with_host(const Viewer& viewer, const std::string& host_line) {
  return conversation(viewer.port,
                      "GET " + viewer.token + "films HTTP/1.1\r\n" + host_line + "Connection: close\r\n\r\n");
}

/// Asks for a film, part by part as the page does, until it is complete; the header of the last part.
json fetch_to_the_end(const Viewer& viewer, std::size_t& samples) {
  samples = 0;
  std::size_t events = 0;
  std::size_t contacts = 0;
  std::size_t jumps = 0;
  for (int i = 0; i < 3000; ++i) {
    const DecodedFilm part(get(viewer, "/film/0?sample=" + std::to_string(samples) +
                                           "&event=" + std::to_string(events) + "&contact=" + std::to_string(contacts) +
                                           "&jump=" + std::to_string(jumps))
                               .body);
    EXPECT_EQ(part.header()["first"]["sample"], samples);
    samples += part.array("time").size();
    events += part.array("event.time").size();
    contacts += part.array("contact.a").size();
    jumps += part.array("jump.body").size();
    if (part.header()["complete"]) return part.header();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return {};
}

class View : public testing::Test {
 protected:
  [[nodiscard]] std::string record(const std::string& name, const std::string& options = "") const {
    const std::string path = folder_.file(name);
    const ToolRun run = shell("carom run - --out '" + path + "' " + options, kScene);
    EXPECT_EQ(run.code, 0) << run.err;
    return path;
  }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  ScratchFolder folder_;
};

TEST_F(View, ServesThePageTheListAndTheFilms) {
  Viewer viewer({record("one.h5"), record("two.h5", "--set run.law=newton")});
  const Answer page = get(viewer, "/");
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.head.find("text/html"), std::string::npos);
  EXPECT_NE(page.body.find("</html>"), std::string::npos);
  EXPECT_EQ(json::parse(get(viewer, "/films").body),
            json::parse(R"({"films": [{"name": "one.h5", "live": false}, {"name": "two.h5", "live": false}]})"));
  const Answer film = get(viewer, "/film/1");
  EXPECT_NE(film.head.find("application/octet-stream"), std::string::npos);
  const DecodedFilm decoded(film.body);
  EXPECT_EQ(decoded.header()["name"], "two.h5");
  EXPECT_EQ(decoded.header()["complete"], true);
  EXPECT_EQ(decoded.header()["scene"]["law"], "newton");
  EXPECT_EQ(decoded.header()["scene"]["settings"], json{"run.law=newton"});
  EXPECT_EQ(decoded.header()["summary"]["stop"], "duration");
  EXPECT_EQ(decoded.array("time").size(), 201u);
  EXPECT_EQ(viewer.finish(SIGINT), 0);
}

TEST_F(View, GivesThePartThatIsAskedFor) {
  Viewer viewer({record("run.h5")});
  const DecodedFilm whole(get(viewer, "/film/0").body);
  const DecodedFilm part(get(viewer, "/film/0?sample=150&event=2&contact=2&jump=2").body);
  const std::vector<double> times = whole.array("time");
  EXPECT_EQ(part.array("time"), std::vector<double>(times.begin() + 150, times.end()));
  EXPECT_EQ(part.array("event.time").size(), whole.array("event.time").size() - 2);
  EXPECT_FALSE(part.header().contains("scene"));
}

TEST_F(View, CompressesWhereThatIsAccepted) {
  Viewer viewer({record("run.h5")});
  const Answer plain = get(viewer, "/film/0");
  const Answer packed = get(viewer, "/film/0", "Accept-Encoding: gzip, deflate\r\n");
  EXPECT_EQ(plain.head.find("Content-Encoding"), std::string::npos);
  EXPECT_NE(packed.head.find("Content-Encoding: gzip"), std::string::npos);
  EXPECT_LT(packed.body.size(), plain.body.size());
  EXPECT_EQ(gunzip(packed.body), plain.body);
}

TEST_F(View, EveryAnswerForbidsWhatThePageDoesNotNeed) {
  Viewer viewer({record("run.h5")});
  for (const char* const path : {"/", "/films", "/film/0", "/nothing"}) {
    const std::string head = get(viewer, path).head;
    EXPECT_NE(head.find("Content-Security-Policy: default-src 'none'; "), std::string::npos) << path;
    EXPECT_NE(head.find("X-Content-Type-Options: nosniff"), std::string::npos) << path;
    EXPECT_NE(head.find("Cache-Control: no-store"), std::string::npos) << path;
    EXPECT_EQ(head.find("Access-Control-Allow"), std::string::npos) << path;
  }
}

TEST_F(View, AnswersOnlyToItsOwnName) {
  Viewer viewer({record("run.h5")});
  const std::string port = std::to_string(viewer.port);
  EXPECT_EQ(ask_with_host(viewer, "Host: 127.0.0.1:" + port + "\r\n").status, 200);
  EXPECT_EQ(ask_with_host(viewer, "Host: localhost:" + port + "\r\n").status, 200);
  for (const std::string& host :
       {std::string("Host: evil.example:" + port + "\r\n"), std::string("Host: 127.0.0.1\r\n"),
        std::string("Host: 127.0.0.1:" + port + ".evil.example\r\n"), std::string("Host:\r\n"), std::string(),
        "Host: localhost:" + port + "\r\nHost: evil.example\r\n"}) {
    const Answer answer = ask_with_host(viewer, host);
    EXPECT_NE(answer.status, 200) << host;
    EXPECT_EQ(answer.body.find("run.h5"), std::string::npos) << host;
  }
}

TEST_F(View, AnswersOnlyWhoKnowsItsRandomToken) {
  const std::string path = record("run.h5");
  Viewer viewer({path}), other({path});
  EXPECT_NE(viewer.token, other.token);
  const std::string host =
      " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(viewer.port) + "\r\nConnection: close\r\n\r\n";
  for (const std::string& begin : {std::string("/"), other.token, viewer.token.substr(0, 20) + "/"}) {
    for (const char* const what : {"", "films", "film/0"}) {
      const Answer answer = conversation(viewer.port, "GET " + begin + what + host);
      EXPECT_EQ(answer.status, 403) << begin << what;
      EXPECT_EQ(answer.body.find("run.h5"), std::string::npos) << begin << what;
    }
  }
  EXPECT_EQ(get(viewer, "/films").status, 200);
}

TEST_F(View, AHundredConnectionsThatSayNothingDoNotKeepOthersWaiting) {
  Viewer viewer({record("run.h5")});
  std::vector<int> silent;
  for (int k = 0; k < 100; ++k) silent.push_back(connected(viewer.port));
  for (const int socket : silent) EXPECT_EQ(::send(socket, "GET /", 5, MSG_NOSIGNAL), 5);
  EXPECT_EQ(get(viewer, "/films").status, 200);
  // A silent one is given up after some seconds. Had they been waited for in turn, most of them were closed by now.
  char letter = 0;
  EXPECT_GT(std::count_if(silent.begin(), silent.end(),
                          [&letter](int socket) { return ::recv(socket, &letter, 1, MSG_DONTWAIT) == -1; }),
            50);
  for (const int socket : silent) ::close(socket);
}

TEST_F(View, RefusesWhatItDoesNotKnow) {
  Viewer viewer({record("run.h5")});
  const std::string host = " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(viewer.port) + "\r\nConnection: close\r\n";
  for (const char* const method : {"POST", "PUT", "DELETE", "HEAD", "OPTIONS"}) {
    EXPECT_EQ(conversation(viewer.port, method + std::string(" ") + viewer.token + "films" + host + "\r\n").status, 405)
        << method;
  }
  for (const char* const path :
       {"/film/1", "/film/", "/film/x", "/film/-1", "/film/99999999999999999999", "/etc/passwd", "/films/"}) {
    EXPECT_EQ(get(viewer, path).status, 404) << path;
  }
  for (const char* const rows : {"sample=x", "event=-1", "contact=1.5", "jump=99999999999999999999", "sample="}) {
    EXPECT_EQ(get(viewer, std::string("/film/0?") + rows).status, 400) << rows;
  }
  EXPECT_NE(get(viewer, "/../../etc/passwd").status, 200);
  EXPECT_NE(conversation(viewer.port, "nonsense\r\n\r\n").status, 200);
  EXPECT_NE(conversation(viewer.port, "GET /" + std::string(100000, 'a') + host + "\r\n").status, 200);
  EXPECT_EQ(get(viewer, "/films").status, 200);
}

TEST_F(View, ListensOnTheLoopbackAddressOnly) {
  Viewer viewer({record("run.h5")});
  std::ostringstream port;
  port << ':' << std::uppercase << std::hex << viewer.port;
  int listening = 0;
  for (const char* const table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::istringstream lines(read_text(table));
    for (std::string text; std::getline(lines, text);) {
      std::istringstream words(text);
      std::string number, local, remote, state;
      words >> number >> local >> remote >> state;
      if (state != "0A" || !local.ends_with(port.str())) continue;
      ++listening;
      EXPECT_EQ(local, "0100007F" + port.str());
    }
  }
  EXPECT_EQ(listening, 1);
}

TEST_F(View, ASceneIsShownWhileItRuns) {
  write_text(file("ball.toml"), kScene);
  Viewer viewer({file("ball.toml"), "--set", "run.duration=4", "--out", file("kept.h5")});
  std::size_t samples = 0;
  const json last = fetch_to_the_end(viewer, samples);
  EXPECT_EQ(samples, 401u);
  EXPECT_EQ(last["stop"], "duration");
  EXPECT_EQ(last["name"], "ball.toml");
  EXPECT_EQ(viewer.finish(SIGINT), 0);
  EXPECT_EQ(viewer.line(), "a ball");
  EXPECT_EQ(shell("carom events '" + file("kept.h5") + "' --json").json()["stop"], "duration");
}

TEST_F(View, ASignalStopsTheRun) {
  write_text(file("ball.toml"), kScene);
  Viewer viewer(
      {file("ball.toml"), "--set", "run.duration=1e9", "--set", "run.output_step=100", "--out", file("kept.h5")});
  std::size_t samples = 0;
  for (int i = 0; i < 500 && samples < 2; ++i) {
    samples = DecodedFilm(get(viewer, "/film/0").body).array("time").size();
  }
  EXPECT_GE(samples, 2u);
  EXPECT_EQ(json::parse(get(viewer, "/films").body)["films"][0]["live"], true);
  EXPECT_EQ(viewer.finish(SIGINT), 130);
  EXPECT_EQ(shell("carom events '" + file("kept.h5") + "' --json --to 1").json()["stop"], "interrupted");
}

TEST_F(View, FollowsARecordThatGrows) {
  const std::string path = file("run.h5");
  const scene::SceneFile scene = scene::read_scene_file(scene::parse_document("scene", kScene));
  const RecordHeader header{.scene = kScene, .settings = {}, .engine = "event", .law = "", .options = "{}"};
  RecordWriter writer(path, scene.model, header);
  State state = scene.state;
  writer.sample(state, {});
  writer.flush();
  Viewer viewer({path});
  EXPECT_EQ(DecodedFilm(get(viewer, "/film/0").body).array("time"), (std::vector<double>{0.0}));
  EXPECT_EQ(json::parse(get(viewer, "/films").body)["films"][0]["live"], true);
  state.time = 0.5;
  writer.sample(state, {});
  writer.flush();
  const DecodedFilm part(get(viewer, "/film/0?sample=1").body);
  EXPECT_EQ(part.array("time"), (std::vector<double>{0.5}));
  EXPECT_EQ(part.header()["complete"], false);
  writer.finish(RunStop::duration, "{}");
  EXPECT_EQ(DecodedFilm(get(viewer, "/film/0?sample=2").body).header()["complete"], true);

  // Another run takes its place, and is shorter.
  RecordWriter second(path, scene.model, header);
  state.time = 0.25;
  second.sample(state, {});
  second.finish(RunStop::duration, "{}");
  const DecodedFilm anew(get(viewer, "/film/0?sample=2").body);
  EXPECT_EQ(anew.header()["first"]["sample"], 0);
  EXPECT_EQ(anew.array("time"), (std::vector<double>{0.25}));
  std::filesystem::remove(path);
  EXPECT_EQ(DecodedFilm(get(viewer, "/film/0").body).array("time"), (std::vector<double>{0.25}));
}

TEST_F(View, APortThatIsTakenIsToldOf) {
  const std::string path = record("run.h5");
  Viewer viewer({path});
  const ToolRun second = shell("carom view '" + path + "' --no-browser --port " + std::to_string(viewer.port));
  EXPECT_EQ(second.code, 4);
  EXPECT_NE(second.err.find("is taken"), std::string::npos) << second.err;
}

TEST_F(View, ARecordThatCannotBeWrittenEndsIt) {
  write_text(file("ball.toml"), kScene);
  const std::string command = "carom view '" + file("ball.toml") + "' --no-browser --exit-when-idle 60 ";
  EXPECT_EQ(shell(command + "--out /nonexistent/run.h5").code, 4);
  // A disk that is full: no file may grow beyond 64 kB.
  const ToolRun full =
      shell("trap '' XFSZ; ulimit -f 64; " + command + "--set run.duration=100 --out '" + file("run.h5") + "'");
  EXPECT_EQ(full.code, 4) << full.err;
  EXPECT_NE(full.err.find("run.h5"), std::string::npos) << full.err;
}

TEST_F(View, EndsByItselfWhereThatIsAskedFor) {
  const ToolRun run = shell("carom view '" + record("run.h5") + "' --no-browser --exit-when-idle 0 --json");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.json()["films"], json{"run.h5"});
  const ToolRun scene = shell("carom view - --no-browser --exit-when-idle 0", kScene);
  EXPECT_EQ(scene.code, 0) << scene.err;
  EXPECT_NE(scene.out.find("\na ball\n"), std::string::npos) << scene.out;
}

#else

TEST(View, ABuildWithoutTheViewerSaysSo) {
  const ToolRun run = shell("printf 'format=1\n[run]\nduration=1\n' | carom view - --no-browser");
  EXPECT_EQ(run.code, 4);
  EXPECT_NE(run.err.find("without its viewer"), std::string::npos) << run.err;
}

#endif

void expect_error(const std::string& arguments, int code, const std::string& words, const std::string& input = "") {
  const ToolRun run = shell("carom view --no-browser --exit-when-idle 0 " + arguments, input);
  EXPECT_EQ(run.code, code) << arguments;
  EXPECT_EQ(run.out, "") << arguments;
  EXPECT_NE(run.err.find(words), std::string::npos) << arguments << "\n" << run.err;
}

TEST(ViewErrors, ComeBeforeAnythingIsServed) {
  const std::string bad = "format = 1\n[run]\nduration = -1\n";
  expect_error("-", 2, "run.duration", bad);
  expect_error("- --set run.nonsense=1", 2, "nonsense", "format = 1\n[run]\nduration = 1\n");
  expect_error("nothing.h5", 4, "there is no such file");
  expect_error("nothing.toml", 4, "nothing.toml");
  expect_error("scenes", 4, "it is a folder");
  expect_error("README.md scenes/cradle.toml", 4, "not an HDF5 file");
  expect_error("scenes/cradle.toml --port 70000", 2, "--port");
  expect_error("scenes/cradle.toml --port 1.5", 2, "--port");
  expect_error("scenes/cradle.toml --exit-when-idle -1", 2, "--exit-when-idle");
  expect_error("nothing.h5 --set run.duration=1", 2, "--set is for a scene");
  expect_error("nothing.h5 --out x.h5", 2, "--out is for a scene");
  expect_error("", 2, "RUN.h5");
}

}  // namespace
}  // namespace carom::test
