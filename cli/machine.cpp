// rankmap machine: reads a topology of any format and says what was understood.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "libmap/base/error.hpp"
#include "libmap/machine/json/machine_json.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "libmap/machine/reader.hpp"
#include "libmap/report/result.hpp"
#include "libmap/report/text_table.hpp"

namespace rankmap::cli {
namespace {

struct Flags {
  MachineFlags machine;
  std::string positional;
  bool json = false;
  bool list = false;
};

std::string known_machines(const Context& context) {
  std::string text;
  for (const std::string& name : machine_names(context.share_directory)) text += name + "\n";
  return text;
}

int machine_action(const Flags& flags, const Context& context) {
  std::string text;
  if (flags.list) {
    text = known_machines(context);
  } else {
    MachineFlags machine_flags = flags.machine;
    machine_flags.spec = flags.positional;
    const Machine machine = machine_of(machine_flags, context, true);
    text = flags.json ? machine_json(machine) : machine_text(machine);
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

}  // namespace

Action setup_machine(CLI::App& app, const Context& context) {
  const auto flags = std::make_shared<Flags>();
  std::string formats = "formats read:";
  for (const NodeReader& row : node_readers())
    formats += std::string("\n  ") + row.name + ": " + row.summary;
  app.add_option("SPEC", flags->positional,
                 "a topology file (- for standard input), a name of share/machines, local, flat:N");
  app.add_option("--nvlink", flags->machine.nvlink_file,
                 "output of `nvidia-smi nvlink -s` beside topo -m")
      ->type_name("FILE");
  app.add_option("--hosts", flags->machine.hosts, "names of the nodes")->type_name("LIST");
  app.add_flag("--list", flags->list, "list the machines of share/machines");
  app.add_flag("--json", flags->json, "print JSON");
  app.description(app.get_description() + "\n\n" + formats);
  return [flags, &context] {
    if (flags->positional.empty() && !flags->list)
      throw UsageError("no machine was given, expected SPEC or --list");
    return machine_action(*flags, context);
  };
}

}  // namespace rankmap::cli
