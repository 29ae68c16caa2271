// MPICH's hydra and Intel MPI: machine files. Facts as measured with hydra 4.0.2: `-ppn 1` goes round
// the hosts and keeps shared memory; a host listed twice becomes two nodes and loses it.
#include "libmap/base/error.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/formats/formats.hpp"
#include "libmap/mapping/formats/layout.hpp"

namespace rankmap {
namespace {

// "8+9+10+11,0+1": one field a local rank.
std::string user_binding(const HostRanks& host) {
  std::vector<std::string> fields;
  for (const MapRow* const row : host.rows) {
    std::vector<std::string> cpus;
    for (const int cpu : row->cpus.numbers()) cpus.push_back(std::to_string(cpu));
    fields.push_back(join(cpus, "+"));
  }
  return join(fields, ",");
}

std::string machine_file(const MapFile& map, const Layout& layout, bool bound) {
  std::string text;
  for (const HostRanks& host : layout.hosts)
    text += spelled_host(host.host) + ":" + std::to_string(host.rows.size()) +
            (bound ? " binding=user:" + user_binding(host) : "") + "\n";
  return comment_line(map, sizes_of(map, layout)) + text;
}

std::string rank_map_list(const MapFile& map, const Layout& layout) {
  std::vector<std::string> nodes(map.rows.size());
  for (std::size_t node = 0; node < layout.hosts.size(); ++node)
    for (const MapRow* const row : layout.hosts[node].rows)
      nodes[static_cast<std::size_t>(row->rank)] = std::to_string(node);
  return join(nodes, ",");
}

std::string number_of_ranks(const MapFile& map) {
  return " -n " + std::to_string(map.rows.size()) + " ";
}

Export hydra_export(const MapFile& map, const ExportOptions& options, const Layout& layout) {
  check_host_names(map);
  const bool bound = all_have_cpus(map);
  Export result;
  result.text = machine_file(map, layout, bound);
  result.file_name = options.file_name;
  result.command = "mpiexec -f " + shell_word(options.file_name);
  result.notes.push_back(carries_note(
      bound ? "the machine file carries hosts and CPUs (OS numbers)"
            : "the machine file carries hosts",
      bound ? "GPU, NIC and memory are" : "CPUs, GPU, NIC and memory are", options.map_path));
  return result;
}

bool goes_round(const Layout& layout) {
  return layout.equal && layout.cyclic && !layout.block;
}

}  // namespace

Export write_mpich(const MapFile& map, const ExportOptions& options) {
  const Layout layout = layout_by_first_rank(map);
  Export result = hydra_export(map, options, layout);
  if (goes_round(layout)) result.command += " -ppn 1";
  if (!layout.block && !goes_round(layout)) {
    result.command += " -rankmap " + rank_map_list(map, layout);
    result.notes.push_back(
        "-rankmap needs MPICH 4.1 or later; older ones cannot mix ranks over hosts: a host listed "
        "twice loses its shared memory");
  }
  result.command += number_of_ranks(map) + wrapped_program(options.map_path, options);
  return result;
}

Export write_mpich40(const MapFile& map, const ExportOptions& options) {
  const Layout layout = layout_by_first_rank(map);
  if (!layout.block && !goes_round(layout))
    throw Infeasible(
        "MPICH 4.0 places ranks in blocks or round the hosts, and the map does neither: a host "
        "listed twice would lose its shared memory; MPICH 4.1 has -rankmap (--for mpich)");
  return write_mpich(map, options);
}

namespace {

// "[F00,F,F000,F0]", quoted for a shell.
std::string pin_domains(const HostRanks& host) {
  std::vector<std::string> masks;
  for (const MapRow* const row : host.rows) masks.push_back(hex_mask(row->cpus));
  return "'[" + join(masks, ",") + "]'";
}

// -host n0 -env I_MPI_PIN_DOMAIN ... -n 4 PROGRAM : -host n1 ...
std::string argument_sets(const Layout& layout, const std::string& program) {
  std::vector<std::string> sets;
  for (const HostRanks& host : layout.hosts)
    sets.push_back("-host " + spelled_host(host.host) + " -env I_MPI_PIN_DOMAIN " +
                   pin_domains(host) + " -n " + std::to_string(host.rows.size()) + " " + program);
  return join(sets, " : ");
}

// Under a batch system Intel MPI follows that system's counts unless told so.
constexpr const char* own_order = "I_MPI_JOB_RESPECT_PROCESS_PLACEMENT=off ";

}  // namespace

Export write_intelmpi(const MapFile& map, const ExportOptions& options) {
  check_host_names(map);
  const Layout layout = layout_by_first_rank(map);
  if (!layout.block && !goes_round(layout))
    throw Infeasible(
        "Intel MPI places ranks in blocks or round the hosts, and the map does neither; map with "
        "hosts in blocks, or use a launcher that takes any order (openmpi4, mpich, slurm)");
  const std::string program = wrapped_program(options.map_path, options);
  const std::string file = shell_word(options.file_name);
  const bool cpus = all_have_cpus(map), pins = cpus && layout.block;
  Export result;
  result.text = machine_file(map, layout, false);
  result.file_name = options.file_name;
  result.command = std::string(own_order) + "mpiexec.hydra ";
  if (goes_round(layout)) {
    result.command += "-rr -f " + file + " -genv I_MPI_PIN off" + number_of_ranks(map) + program;
  } else if (!pins) {
    result.command +=
        "-machinefile " + file + " -genv I_MPI_PIN off" + number_of_ranks(map) + program;
  } else if (agree_on_cpus(layout)) {
    result.command += "-machinefile " + file + " -genv I_MPI_PIN_DOMAIN " +
                      pin_domains(layout.hosts.front()) + number_of_ranks(map) + program;
  } else {
    result.command += argument_sets(layout, program);
    result.notes.push_back(
        "the hosts differ in their CPUs, so the command names each with its own; "
        "it does not read " +
        options.file_name);
  }
  result.notes.push_back(carries_note(
      pins ? "hosts and CPUs (I_MPI_PIN_DOMAIN, a mask a local rank) are carried"
           : "hosts are carried",
      pins ? "GPU, NIC and memory are" : "CPUs, GPU, NIC and memory are", options.map_path));
  return result;
}

}  // namespace rankmap
