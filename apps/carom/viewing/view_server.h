#pragma once
/// Shows films to browsers of this computer: the page, the list of films, and films part by part.
///
///   /TOKEN/             the page
///   /TOKEN/films        {"films": [{"name": "run.h5", "live": false}]}
///   /TOKEN/film/K?sample=..&event=..     what film K has beyond these rows; likewise energy, contact, jump and joint
///                       docs/film-format.md
///
///   POST /TOKEN/film/K/rerun      settings, one in each line: the scene of film K is run again with these
///
/// The token is a random word of this server, known to who has seen its address: other users of the computer, and other
/// programs, can reach the port and get nothing. It listens on the loopback address only, answers GET only but for
/// that, and only where the request names that address as its host, so that no page from elsewhere can read a film
/// through a name that it lets point here. The page may run its own script and talk to this server; a policy in every
/// answer forbids everything else.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "viewing/film_source.h"

namespace carom::app {

class ViewServer {
 public:
  /// Listens from now on, in threads of its own; port 0: any that is free. The page and the films have to live longer.
  /// Throws InputError (file) where the port is not to be had.
  ViewServer(std::string_view page, std::vector<FilmSource*> films, int port);
  /// Ends what is being answered.
  ~ViewServer();
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;

  [[nodiscard]] int port() const;
  /// `http://127.0.0.1:PORT/TOKEN/`
  [[nodiscard]] std::string address() const;
  /// Time since the last request, or since it began to listen [s].
  [[nodiscard]] double idle_time() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace carom::app
