// rankmap machine: reads a topology of any format and says what was understood.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "libmap/base/error.hpp"
#include "libmap/machine/json/machine_json.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "libmap/machine/network/networks.hpp"
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
  for (const std::string& name : network_names(context.share_directory)) text += "@" + name + "\n";
  return text;
}

std::string networks_text() {
  std::string text =
      "networks, behind @ or alone:\n"
      "  NAME of share/networks, with keys behind it: @mira,slots=16\n"
      "  FILE of such a network, or of switches: Slurm's topology.conf, topology.yaml or the "
      "output of "
      "`scontrol show topology`; keys gbps slots";
  for (const NetworkRow& row : network_rows()) {
    text += "\n  " + std::string(row.example) + ": " + std::string(row.summary) + "; keys";
    for (const std::string_view key : row.keys) text += " " + std::string(key);
  }
  return text +
         "\n"
         "keys of networks:\n"
         "  gbps=N or one a dimension or level, innermost first, ':' between; trees and "
         "dragonflies "
         "begin with the port of a node\n"
         "  slots=N: slots of a node, where no node's machine is named\n"
         "  part=0-63,128-191: the nodes of this job, in this order\n"
         "  box=0-3x0-3x4-7: the part of a torus between these coordinates\n"
         "  mesh=z: dimensions (x y z t u v as written) of a torus that are open lines\n"
         "  routing=dor|ldf|minpath (torus, mesh), ecmp|dmodk (fattree), minimal|valiant|ugal "
         "(dragonfly); the first is the default\n"
         "  order=zyx: of the dimensions under dor; tie=split|plus|minus where both ways round are "
         "equally long\n"
         "  rails=N: NICs of a node, each on a switch of its own\n"
         "  domain=18: so many nodes in a row share one NVLink switch, as racks in a fat tree\n"
         "  up=8:4: up links of a switch of each level; distance=1:10:100: what hop-bytes count at "
         "each level\n"
         "  global=N: global ports of a router, or links=N between two groups; local=1:3: links of "
         "two routers in each dimension of a group";
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
                 "a topology file (- for standard input), a name of share/machines, NAMExCOUNT, "
                 "local, a network");
  app.add_option("--nvlink", flags->machine.nvlink_file,
                 "output of `nvidia-smi nvlink -s` beside topo -m")
      ->type_name("FILE");
  app.add_option("--hosts", flags->machine.hosts, "names of the nodes")->type_name("LIST");
  app.add_flag("--list", flags->list,
               "list the machines of share/machines and the networks of share/networks");
  app.add_flag("--json", flags->json, "print JSON");
  app.description(app.get_description() + "\n\n" + formats + "\n\n" + networks_text());
  return [flags, &context] {
    if (flags->positional.empty() && !flags->list)
      throw UsageError("no machine was given, expected SPEC or --list");
    return machine_action(*flags, context);
  };
}

}  // namespace rankmap::cli
