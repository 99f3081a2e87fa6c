/// `carom info`: what is inside a record.

#include "carom/record/record_reader.h"
#include "commands/table.h"
#include "output/info_output.h"

namespace carom::app {
namespace info_command {

constexpr Option kOptions[] = {kJsonOption};

constexpr std::string_view kNotes[] = {
    "A record that is still being written, or whose run was killed, is described as far as it goes. Whether it can be "
    "run again says whether this version of carom reads the scene inside; carom run --from does it.",
};

constexpr std::string_view kExamples[] = {
    "f=$(mktemp); printf 'format=1\\n[run]\\nduration=1\\n' | carom run - --out $f; carom info $f",
};

Report run(const Arguments& arguments) {
  const RecordReader record(*arguments.argument());
  const RecordDescription description = describe(record);
  Report report;
  report.text = arguments.has("--json") ? json_text(description_json(description)) : description_text(description);
  return report;
}

}  // namespace info_command

const Command kInfoCommand{
    .name = "info",
    .summary = "say what is inside a record",
    .argument = {Value::Kind::file, "RUN.h5"},
    .argument_help = "record of carom run --out",
    .options = info_command::kOptions,
    .notes = info_command::kNotes,
    .examples = info_command::kExamples,
    .run = &info_command::run,
};

}  // namespace carom::app
