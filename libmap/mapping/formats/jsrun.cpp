// IBM jsrun's explicit resource files: the one launcher format with host, CPUs and GPU of every rank.
#include "libmap/base/error.hpp"
#include "libmap/mapping/formats/formats.hpp"
#include "libmap/mapping/formats/layout.hpp"
#include "libmap/mapping/formats/rankfile.hpp"

namespace rankmap {
namespace {

// jsrun counts the hosts of the job from 1.
std::string resources(const MapRow& row, std::size_t host) {
  if (row.cpus.empty())
    throw Infeasible("rank " + std::to_string(row.rank) +
                     ": its CPUs are not known, and every line of a resource file needs them");
  return "rank: " + std::to_string(row.rank) + ": { host: " + std::to_string(host) + "; cpu: {" +
         plain_list(row.cpus) + "} ;" +
         (row.gpu == none ? "" : " gpu: {" + std::to_string(row.gpu) + "} ;") +
         " mem: * } : app 0\n";
}

}  // namespace

Export write_jsrun(const MapFile& map, const ExportOptions& options) {
  check_host_names(map);
  const std::map<std::string, std::size_t> numbers = host_numbers(map, options);
  Export result;
  result.text = "app 0: " + wrapped_program(options.map_path, options) +
                "\ncpu_index_using: physical\noverlapping_rs: allow\n\n";
  for (const MapRow& row : map.rows) result.text += resources(row, numbers.at(row.host) + 1);
  result.file_name = options.file_name;
  result.command = "jsrun --erf_input " + shell_word(options.file_name);
  result.notes.push_back(
      carries_note("the resource file carries host, CPUs (OS numbers) and GPU of every rank",
                   "NIC and memory are", options.map_path));
  result.notes.emplace_back(
      "jsrun numbers the hosts of the job from 1; give them in the job's order with --hosts");
  return result;
}

}  // namespace rankmap
