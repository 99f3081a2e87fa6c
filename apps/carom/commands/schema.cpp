/// `carom schema`: the scene format as a JSON Schema, for editors.

#include "carom/scene/schema.h"

#include "carom/base/error.h"
#include "carom/base/json.h"
#include "carom/scene/document/json_value.h"
#include "commands/table.h"

namespace carom::app {
namespace schema_command {

constexpr Option kOptions[] = {
    {"--markdown", {}, "print the tables of keys for people instead, as in docs/scene-file.md"},
    {"--json", {}, "print the schema (the default)"},
};

constexpr std::string_view kNotes[] = {
    "Editors that know TOML schemas check a scene while it is written: save the output beside the scenes and begin a "
    "scene with the line '#:schema ./carom.schema.json'.",
};

constexpr std::string_view kExamples[] = {"carom schema", "carom schema --markdown"};

Report run(const Arguments& arguments) {
  if (arguments.has("--markdown") && arguments.has("--json")) {
    throw InputError(Kind::usage, "--markdown", "--markdown and --json exclude each other");
  }
  if (arguments.has("--markdown")) return {scene::scene_key_tables(), kDone, {}, {}};
  return {json_text(*scene::parse_json_object(scene::scene_schema())), kDone, {}, {}};
}

}  // namespace schema_command

const Command kSchemaCommand{
    .name = "schema",
    .summary = "print the JSON Schema of scene files, for editors",
    .argument = {},
    .argument_help = {},
    .options = schema_command::kOptions,
    .notes = schema_command::kNotes,
    .examples = schema_command::kExamples,
    .run = &schema_command::run,
};

}  // namespace carom::app
