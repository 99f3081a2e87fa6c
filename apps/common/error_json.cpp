#include "common/error_json.h"

namespace carom::app {
namespace {

Json text_or_null(std::string_view text) {
  return text.empty() ? Json() : Json(text);
}

Json count_or_null(int count) {
  return count == 0 ? Json() : Json(count);
}

}  // namespace

Json error_json(const InputError& error) {
  return error_json(kind_name(error.kind()), error.what(), error.place());
}

Json error_json(std::string_view kind, std::string_view message, const Place& place) {
  return {{"error",
           {{"kind", kind},
            {"message", message},
            {"where",
             {{"file", text_or_null(place.file)},
              {"line", count_or_null(place.line)},
              {"column", count_or_null(place.column)},
              {"field", text_or_null(place.field)}}}}}};
}

}  // namespace carom::app
