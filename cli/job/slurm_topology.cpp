#include "cli/job/slurm_topology.hpp"

#include "cli/job/child.hpp"
#include "cli/job/temporary_folder.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/job/allocation.hpp"
#include "libmap/machine/topology/topology_reader.hpp"

namespace rankmap::cli {
namespace {

// Its messages may stand among it.
std::string without_messages(const std::string& output) {
  std::string text;
  for (const std::string_view line : split_lines(output))
    if (!line.starts_with("scontrol: ") && !line.starts_with("slurm_"))
      text += std::string(line) + "\n";
  return text;
}

// nullopt: scontrol is not there, or gets no answer.
std::optional<std::string> told_by_scontrol() {
  const TemporaryFolder folder(folder_of_this_host());
  const std::string output = folder.path() + "/topology";
  const Ended ended = start_and_wait({{"scontrol", "show", "topology"}, {}, output});
  if (ended.signal != 0) throw Interrupted{ended.signal};
  if (ended.code != 0) return std::nullopt;
  return without_messages(read_text(output));
}

std::string configuration_folder() {
  const std::string file = environment_variable("SLURM_CONF").value_or("/etc/slurm/slurm.conf");
  const std::size_t slash = file.rfind('/');
  return slash == file.npos ? "." : file.substr(0, slash);
}

// What a step's environment says of its own node: "switch.switch.node".
bool has_switches() {
  const std::string pattern = environment_variable("SLURM_TOPOLOGY_ADDR_PATTERN").value_or("");
  return pattern.find("switch") != pattern.npos || pattern.find("block") != pattern.npos;
}

std::optional<SwitchTopology> read(const std::string& text, const std::string& source) {
  if (trim(text).empty() || trim(text).starts_with("No topology")) return std::nullopt;
  return read_switch_topology(text, source);
}

std::optional<SwitchTopology> asked() {
  if (const std::optional<std::string> told = told_by_scontrol())
    return read(*told, "scontrol show topology");
  for (const char* name : {"/topology.yaml", "/topology.conf"})
    if (const std::string path = configuration_folder() + name; is_regular_file(path))
      return read(read_text(path), path);
  return std::nullopt;
}

}  // namespace

std::optional<SwitchTopology> topology_of_slurm(std::vector<std::string>& notes) {
  const std::string lost = "the nodes are taken on one switch, their topology is unknown: ";
  try {
    std::optional<SwitchTopology> found = asked();
    if (!found && has_switches()) notes.push_back(lost + "neither scontrol nor a file tells it");
    return found;
  } catch (const InputError& error) {
    notes.push_back(lost + error.what());
    return std::nullopt;
  }
}

}  // namespace rankmap::cli
