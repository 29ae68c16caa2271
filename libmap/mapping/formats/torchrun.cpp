// torchrun with a static rendezvous: node ranks are given, not found by sorting names.
#include "libmap/base/error.hpp"
#include "libmap/mapping/formats/formats.hpp"
#include "libmap/mapping/formats/layout.hpp"

namespace rankmap {
namespace {

constexpr int master_port = 29500;  // torchrun's own default

std::string command_for(const Layout& layout, std::size_t node, const ExportOptions& options) {
  return "torchrun --nnodes=" + std::to_string(layout.hosts.size()) +
         " --nproc-per-node=" + std::to_string(layout.ranks_per_host()) +
         " --node-rank=" + std::to_string(node) +
         " --master-addr=" + spelled_host(layout.hosts.front().host) +
         " --master-port=" + std::to_string(master_port) + " --no-python " +
         wrapped_program(options.map_path, options);
}

// Each host finds its own line; one nameless host needs no search.
std::string script_of(const Layout& layout, const ExportOptions& options) {
  if (layout.hosts.front().host == "*") return "exec " + command_for(layout, 0, options) + "\n";
  std::string text = "case $(uname -n) in\n";
  for (std::size_t node = 0; node < layout.hosts.size(); ++node) {
    const std::string& host = layout.hosts[node].host;
    text += host + " | " + host + ".*)\n  exec " + command_for(layout, node, options) + " ;;\n";
  }
  return text + "*)\n  echo \"$(uname -n) is no host of this job\" >&2\n  exit 1 ;;\nesac\n";
}

}  // namespace

Export write_torchrun(const MapFile& map, const ExportOptions& options) {
  check_host_names(map);
  const Layout layout = layout_by_first_rank(map);
  if (!layout.equal)
    throw Infeasible(
        "torchrun starts --nproc-per-node ranks on every host, but the map has different "
        "numbers of ranks on its hosts");
  if (!layout.block)
    throw Infeasible(
        "torchrun numbers ranks host by host, but the map mixes them over its hosts; map "
        "with hosts in blocks");
  Export result;
  result.text = "#!/bin/sh\n" +
                comment_line(map, sizes_of(map, layout) + "; start this on every host") +
                script_of(layout, options);
  result.file_name = options.file_name;
  result.command = "sh " + shell_word(options.file_name);
  result.notes.push_back(carries_note("torchrun carries the host of every rank",
                                      "CPUs, GPU, NIC and memory are", options.map_path));
  result.notes.emplace_back(
      "start it on every host, as with srun --ntasks-per-node=1, pdsh or ssh; the program is named "
      "with its interpreter: python train.py");
  return result;
}

}  // namespace rankmap
