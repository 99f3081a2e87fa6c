#include "carom/scene/problem_file.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>
#include <vector>

#include "carom/base/nearest_name.h"
#include "carom/base/utf8.h"
#include "carom/scene/document/fields.h"
#include "carom/scene/document/path.h"

namespace carom::scene {
namespace {

constexpr std::array<std::string_view, 8> kProblemKeys = {"metric",   "velocity",    "persistent", "supports",
                                                          "contacts", "restitution", "law",        "options"};
constexpr std::array<std::string_view, 1> kMetricKeys = {"diagonal"};
constexpr std::array<std::string_view, 11> kContactKeys = {"name",
                                                           "normal",
                                                           "offset",
                                                           "tangents",
                                                           "tangent_offsets",
                                                           "restitution",
                                                           "tangential_restitution",
                                                           "stiffness",
                                                           "friction",
                                                           "rough",
                                                           "tangential_stiffness_ratio"};
constexpr std::array<std::string_view, 3> kOptionKeys = {"tolerance", "rest", "max_steps"};
constexpr std::string_view kAsVelocity = "the length of velocity";

Vector read_velocity(const Fields& fields) {
  const Entry entry = fields.at("velocity");
  Vector velocity = as_vector(entry);
  if (velocity.size() == 0) {
    throw InputError(Kind::size_mismatch, entry.place(), "velocity has 0 entries, expected at least 1");
  }
  if (velocity.size() > static_cast<Eigen::Index>(kMostCoordinates)) {
    throw InputError(Kind::limit, entry.place(),
                     "velocity has " + std::to_string(velocity.size()) + " entries, expected at most " +
                         std::to_string(kMostCoordinates));
  }
  return velocity;
}

Matrix read_metric(const Fields& fields, Eigen::Index size) {
  const Entry entry = fields.at("metric");
  const Length length{size, kAsVelocity};
  if (entry.node->is(Node::Type::table)) {
    return Fields(entry, kMetricKeys).vector("diagonal", length).asDiagonal().toDenseMatrix();
  }
  if (!entry.node->is(Node::Type::array)) {
    entry.fail(Kind::wrong_type, "an array of rows or a table with the key 'diagonal'");
  }
  const std::size_t rows = entry.node->array().size();
  if (static_cast<Eigen::Index>(rows) != size) {
    throw InputError(Kind::size_mismatch, entry.place(),
                     "metric has " + std::to_string(rows) + " rows, expected " + std::to_string(size) + " (" +
                         std::string(kAsVelocity) + ")");
  }
  return as_matrix(entry, length);
}

/// Rows A of the persistent constraints; 0×0 where there are none.
Matrix read_persistent(const Fields& fields, Eigen::Index size) {
  const std::optional<Entry> entry = fields.find("persistent");
  if (!entry) return {};
  Matrix rows = as_matrix(*entry, Length{size, kAsVelocity});
  return rows.rows() == 0 ? Matrix() : rows;
}

std::vector<int> read_supports(const Fields& fields, Eigen::Index persistent_rows) {
  std::vector<int> supports;
  const std::optional<Entry> entry = fields.find("supports");
  if (!entry) return supports;
  for (const Entry& index : as_entries(*entry)) {
    if (persistent_rows == 0) index.fail(Kind::out_of_range, "no index, as there are no persistent rows");
    const auto row = static_cast<int>(as_integer(index, 0, persistent_rows - 1));
    if (std::find(supports.begin(), supports.end(), row) != supports.end()) {
      index.fail(Kind::duplicate_name, "every row at most once");
    }
    supports.push_back(row);
  }
  return supports;
}

Contact read_contact(const Entry& entry, Eigen::Index size) {
  const Fields fields(entry, kContactKeys);
  const Length length{size, kAsVelocity};
  Contact contact;
  contact.name = fields.string("name", "");
  contact.normal = fields.vector("normal", length);
  contact.offset = fields.number("offset", 0.0);
  if (fields.find("tangents")) contact.tangents = fields.matrix("tangents", length);
  if (contact.tangents.rows() == 0) contact.tangents = Matrix();
  if (fields.find("tangent_offsets")) {
    contact.tangent_offsets =
        fields.vector("tangent_offsets", Length{contact.tangents.rows(), "the number of tangents"});
  }
  contact.restitution = fields.optional_number("restitution");
  contact.tangential_restitution = fields.optional_number("tangential_restitution");
  contact.stiffness = fields.number("stiffness", contact.stiffness);
  contact.friction = fields.number("friction", contact.friction);
  contact.rough = fields.boolean("rough", contact.rough);
  contact.tangential_stiffness_ratio = fields.optional_number("tangential_stiffness_ratio");
  return contact;
}

std::vector<Contact> read_contacts(const Fields& fields, Eigen::Index size) {
  std::vector<Contact> contacts;
  const std::optional<Entry> list = fields.find("contacts");
  if (!list) return contacts;
  std::unordered_map<std::string, std::size_t> seen;
  for (const Entry& entry : as_entries(*list)) {
    contacts.push_back(read_contact(entry, size));
    const std::string& name = contacts.back().name;
    if (name.empty()) continue;
    const auto [earlier, is_new] = seen.emplace(name, contacts.size() - 1);
    if (is_new) continue;
    const Entry again = Fields(entry, kContactKeys).at("name");
    throw InputError(Kind::duplicate_name, again.place(),
                     again.name() + " is '" + printable(name) + "', which is already the name of contacts." +
                         std::to_string(earlier->second));
  }
  return contacts;
}

/// The index of the word that is given.
double read_choice(const Entry& entry, std::span<const std::string_view> choices) {
  const std::string word = as_string(entry);
  const auto found = std::find(choices.begin(), choices.end(), word);
  if (found == choices.end())
    throw InputError(Kind::unknown_name, entry.place(), unknown_name_message(entry.name(), word, choices));
  return static_cast<double>(found - choices.begin());
}

double read_option(const Entry& entry, const OptionName& option) {
  if (!option.choices.empty()) return read_choice(entry, option.choices);
  if (option.is_flag) return as_boolean(entry) ? 1.0 : 0.0;
  return as_number(entry);
}

ImpactOptions read_options(const Fields& problem, std::span<const OptionName> law_options) {
  ImpactOptions options;
  const std::optional<Entry> entry = problem.find("options");
  if (!entry) return options;
  std::vector<std::string_view> known(kOptionKeys.begin(), kOptionKeys.end());
  for (const OptionName& option : law_options) known.push_back(option.name);
  const Fields fields(*entry, known);
  options.tolerance = fields.number("tolerance", options.tolerance);
  options.rest = fields.number("rest", options.rest);
  if (const auto steps = fields.find("max_steps")) {
    options.max_steps = as_integer(*steps, 0, std::numeric_limits<long>::max());
  }
  for (const OptionName& option : law_options) {
    const std::optional<Entry> value = fields.find(option.name);
    if (!value) continue;
    options.by_law.emplace(option.name, read_option(*value, option));
  }
  return options;
}

}  // namespace

bool is_scene(const Document& document) {
  return document.syntax == Syntax::toml && document.root.find("format") != nullptr;
}

ProblemFile read_problem_file(const Document& document, std::span<const OptionName> law_options) {
  if (is_scene(document)) {
    throw InputError(Kind::unsupported, locate(document, "format"),
                     "the file has the key 'format' and so is a scene, expected an impact problem");
  }
  const Fields fields(root_entry(document), kProblemKeys);
  ProblemFile file;
  ImpactProblem& problem = file.problem;
  problem.velocity = read_velocity(fields);
  const Eigen::Index size = problem.velocity.size();
  problem.metric = read_metric(fields, size);
  problem.persistent = read_persistent(fields, size);
  problem.supports = read_supports(fields, problem.persistent.rows());
  problem.contacts = read_contacts(fields, size);
  problem.restitution = fields.number("restitution", problem.restitution);
  problem.options = read_options(fields, law_options);
  if (const auto law = fields.find("law")) {
    file.law = as_string(*law);
    file.law_place = law->place();
  }
  return file;
}

}  // namespace carom::scene
