#include "carom/record/hdf5_library.h"

#include <pthread.h>

#include <cstddef>
#include <new>

#include "carom/base/error.h"

namespace carom::hdf5 {
namespace {

struct Reason {
  std::string system;     ///< of the operating system
  std::string innermost;  ///< of the library, where the trouble began
};

herr_t note(unsigned, const H5E_error2_t* entry, void* data) {
  auto& reason = *static_cast<Reason*>(data);
  const std::string text = entry->desc == nullptr ? "" : entry->desc;
  if (reason.innermost.empty()) reason.innermost = text;
  constexpr std::string_view kBefore = "error message = '";
  const std::size_t found = text.find(kBefore);
  if (found == std::string::npos || !reason.system.empty()) return 0;
  const std::size_t first = found + kBefore.size();
  reason.system = text.substr(first, text.find('\'', first) - first);
  return 0;
}

/// The number behind `name` in a text of the library; empty where there is none.
std::string number_behind(const std::string& text, std::string_view name) {
  const std::size_t found = text.find(name);
  if (found == std::string::npos) return {};
  const std::size_t first = found + name.size();
  return text.substr(first, text.find_first_not_of("0123456789", first) - first);
}

/// What the library says about a file that ends too early, in words for people.
std::string readable(const std::string& text) {
  if (!text.starts_with("truncated file")) return text;
  return "the file is cut off: it has " + number_behind(text, " eof = ") + " of " +
         number_behind(text, "stored_eof = ") + " bytes";
}

/// Who uses the library. A process that is forked while another thread does would have it locked for ever and half way
/// through its work: a fork waits for it, and the child begins with a free one.
std::recursive_mutex& library_mutex() {
  // Built in place and never destroyed, so that the child of a fork can build it anew: it cannot unlock what a thread
  // of its parent has locked.
  alignas(std::recursive_mutex) static std::byte memory[sizeof(std::recursive_mutex)];
  static std::recursive_mutex* const kMutex = [] {
    pthread_atfork([] { library_mutex().lock(); }, [] { library_mutex().unlock(); },
                   [] { new (memory) std::recursive_mutex; });
    return new (memory) std::recursive_mutex;
  }();
  return *kMutex;
}

}  // namespace

Quiet::Quiet() : one_at_a_time_(library_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() {
  H5Eset_auto2(H5E_DEFAULT, print_, data_);
}

std::string last_reason() {
  Reason reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, &note, &reason);
  if (!reason.system.empty()) return reason.system;
  return reason.innermost.empty() ? "unknown reason" : readable(reason.innermost);
}

void fail(const std::string& path, std::string_view doing, const std::string& reason) {
  Place place;
  place.file = path;
  throw InputError(Kind::file, place, "cannot " + std::string(doing) + " '" + path + "': " + reason);
}

Handle checked(hid_t id, const std::string& path, std::string_view doing) {
  if (id < 0) fail(path, doing);
  return Handle(id);
}

void check(herr_t status, const std::string& path, std::string_view doing) {
  if (status < 0) fail(path, doing);
}

Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.id(), size);
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

Handle memory_type(const Element& element) {
  switch (element.kind) {
    case Element::Kind::real: return Handle(H5Tcopy(H5T_NATIVE_DOUBLE));
    case Element::Kind::integer: return Handle(H5Tcopy(H5T_NATIVE_INT64));
    case Element::Kind::text: break;
  }
  return text_type(element.text_length);
}

}  // namespace carom::hdf5
