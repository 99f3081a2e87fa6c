#include "carom/scene/value.h"

#include <algorithm>

#include "carom/base/error.h"

namespace carom {
namespace {

std::string_view name_of(Value::Type type) {
  switch (type) {
    case Value::Type::none: return "nothing";
    case Value::Type::boolean: return "a boolean";
    case Value::Type::integer: return "an integer";
    case Value::Type::real: return "a number";
    case Value::Type::text: return "a text";
    case Value::Type::list: return "a list";
    case Value::Type::table: return "a table";
  }
  return "a value";
}

template <class T, class Content>
const T& require(const Content& content, Value::Type is, Value::Type expected) {
  if (const T* const value = std::get_if<T>(&content)) return *value;
  throw InputError(Kind::wrong_type, "",
                   "the value is " + std::string(name_of(is)) + ", expected " + std::string(name_of(expected)));
}

}  // namespace

// Here, where Field is complete.
Table::Table() = default;
Table::Table(std::initializer_list<Field> fields) : fields_(fields) {}
Table::Table(std::vector<Field> fields) : fields_(std::move(fields)) {}
Table::Table(const Table& other) = default;
Table::Table(Table&& other) noexcept = default;
Table& Table::operator=(const Table& other) = default;
Table& Table::operator=(Table&& other) noexcept = default;
Table::~Table() = default;

const Value* Table::find(std::string_view key) const {
  const auto found =
      std::find_if(fields_.begin(), fields_.end(), [key](const Field& field) { return field.key == key; });
  return found == fields_.end() ? nullptr : &found->value;
}

void Table::set(std::string_view key, Value value) {
  const auto found =
      std::find_if(fields_.begin(), fields_.end(), [key](const Field& field) { return field.key == key; });
  if (found != fields_.end()) {
    found->value = std::move(value);
  } else {
    fields_.emplace_back(key, std::move(value));
  }
}

bool operator==(const Table& a, const Table& b) {
  return a.fields_ == b.fields_;
}

bool operator==(const Value& a, const Value& b) {
  return a.content_ == b.content_;
}

bool Value::boolean() const {
  return require<bool>(content_, type(), Type::boolean);
}

std::int64_t Value::integer() const {
  return require<std::int64_t>(content_, type(), Type::integer);
}

double Value::number() const {
  if (is(Type::integer)) return static_cast<double>(integer());
  return require<double>(content_, type(), Type::real);
}

const std::string& Value::text() const {
  return require<std::string>(content_, type(), Type::text);
}

const List& Value::list() const {
  return require<List>(content_, type(), Type::list);
}

const Table& Value::table() const {
  return require<Table>(content_, type(), Type::table);
}

}  // namespace carom
