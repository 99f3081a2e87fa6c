/// How a scene is shown: colours and the camera.

#include <algorithm>

#include "carom/scene/format/sections.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

bool is_colour(std::string_view text) {
  const auto is_digit = [](char letter) {
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
  };
  return text.size() == 7 && text.front() == '#' && std::all_of(text.begin() + 1, text.end(), is_digit);
}

}  // namespace

void read_colour(Reading& reading, const Fields& fields) {
  const std::optional<Entry> colour = fields.find("colour");
  if (!colour) return;
  const std::string text = as_string(*colour);
  if (!is_colour(text)) colour->fail(Kind::out_of_range, "a colour as \"#1f77b4\"");
  reading.scene().looks.colours[fields.string("name")] = text;
}

void read_camera(Reading& reading) {
  const auto entry = reading.find_good(reading.root(), "camera");
  if (!entry) return;
  reading.complaints().attempt([&] {
    const Fields fields(*entry);
    Looks::Camera& camera = reading.scene().looks.camera.emplace();
    if (const auto from = one_of(fields, {"view", "direction"}, false)) {
      if (fields.find("view"))
        camera.view = as_string(*from);
      else
        camera.direction = as_vector(*from);
    }
    if (fields.find("centre")) camera.centre = vector3(fields, "centre");
    if (fields.find("height")) camera.height = fields.number("height");
    if (fields.find("perspective")) camera.perspective = fields.boolean("perspective", true);
    if (const auto follow = fields.find("follow")) {
      (void)reading.body(*follow);
      camera.follow = as_string(*follow);
    }
  });
}

}  // namespace carom::scene
