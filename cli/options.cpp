#include "cli/options.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <limits>

#include "cli/job/job_machine.hpp"
#include "libmap/base/cpu_set.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/job/allocation.hpp"
#include "libmap/machine/job/host_list.hpp"
#include "libmap/machine/machine_spec.hpp"
#include "libmap/mapping/read/host_file.hpp"

namespace rankmap::cli {
namespace {

std::int32_t number_in(std::string_view text, const char* option, const std::string& whole) {
  const std::optional<std::uint64_t> number = parse_unsigned(trim(text));
  if (!number || *number > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()))
    throw UsageError(std::string(option) + ": found " + rankmap::quoted(text) + " in " +
                     rankmap::quoted(whole) + ", expected a number from 0");
  return static_cast<std::int32_t>(*number);
}

}  // namespace

void add_machine_flags(CLI::App& app, MachineFlags& flags, bool required) {
  app.add_option("-m,--machine", flags.spec,
                 "a topology file, a name of share/machines, NAMExCOUNT, local, job, each with "
                 "@NETWORK or not; or a NETWORK alone (rankmap machine --help lists them)")
      ->required(required)
      ->type_name("MACHINE");
  app.add_option("--nvlink", flags.nvlink_file, "output of `nvidia-smi nvlink -s` beside topo -m")
      ->type_name("FILE");
  add_host_flags(app, flags.hosts, flags.host_file, "names of the nodes, in order");
  app.add_option("--cores", flags.cores,
                 "own: GPUs of a NUMA node divide its cores; numa: they share them")
      ->check(CLI::IsMember({"own", "numa"}))
      ->capture_default_str();
}

Machine machine_of(const MachineFlags& flags, const Context& context, bool quiet) {
  MachineOptions options;
  options.share_directory = context.share_directory;
  if (!flags.nvlink_file.empty()) {
    options.reader.nvlink_text = read_text(flags.nvlink_file);
    options.reader.nvlink_source = flags.nvlink_file;
  }
  options.hosts = host_names(flags.hosts, flags.host_file);
  options.near_cores = flags.cores == "numa" ? NearCores::shared : NearCores::divided;
  Machine machine = is_job_spec(flags.spec) ? job_machine(flags.spec, options, context)
                                            : read_machine(flags.spec, options);
  if (!quiet)
    for (const std::string& warning : machine.model().warnings)
      warn(machine.name() + ": " + warning);
  return machine;
}

void add_app_flags(CLI::App& app, AppFlags& flags) {
  app.add_option("APP", flags.positional, "a pattern (ring:4, stencil:8x8), or file:PATH");
  app.add_option("--app", flags.option, "the same as an option")->type_name("APP");
}

std::string app_text_of(const AppFlags& flags) {
  if (flags.positional.empty() == flags.option.empty())
    throw UsageError(flags.option.empty() ? "no app was given, expected APP or --app APP"
                                          : "the app was given twice: as APP and as --app");
  return flags.option.empty() ? flags.positional : flags.option;
}

std::vector<SlotId> parse_slots(const std::string& text, const char* option) {
  const std::optional<CpuSet> slots = CpuSet::parse_list(text);
  if (!slots)
    throw UsageError(std::string(option) + ": found " + rankmap::quoted(text) +
                     ", expected numbers and ranges from 0, as in 0,4-6");
  return slots->numbers();
}

std::vector<std::pair<Rank, SlotId>> parse_fixed(const std::string& text) {
  std::vector<std::pair<Rank, SlotId>> fixed;
  if (text.empty()) return fixed;
  for (const std::string_view item : split(text, ',')) {
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos)
      throw UsageError("--fix: found " + rankmap::quoted(item) + ", expected RANK=SLOT");
    fixed.emplace_back(number_in(item.substr(0, equals), "--fix", text),
                       number_in(item.substr(equals + 1), "--fix", text));
  }
  return fixed;
}

std::vector<std::string> parse_names(const std::string& text) {
  std::vector<std::string> names;
  if (text.empty()) return names;
  for (const std::string_view item : split(text, ',')) names.emplace_back(trim(item));
  return names;
}

std::vector<std::string> parse_hosts(const std::string& text) {
  if (text.empty()) return {};
  if (text != "job") return expand_host_list(text, "--hosts");
  const Allocation allocation = read_allocation(environment_variable);
  if (allocation.hosts.empty())
    throw UsageError("--hosts job: no Slurm, PBS or LSF job is around, expected to run inside one");
  return allocation.hosts;
}

void add_host_flags(CLI::App& app, std::string& list, std::string& file, const std::string& whose) {
  app.add_option("--hosts", list, whose + ": n0,n[01-04,07], or job for this allocation's")
      ->type_name("LIST");
  app.add_option("--hostfile", file, "the same from a file, one a line: n0, n0:4, n0 slots=4")
      ->type_name("FILE");
}

std::vector<std::string> host_names(const std::string& list, const std::string& file) {
  if (file.empty()) return parse_hosts(list);
  if (!list.empty())
    throw UsageError("--hosts and --hostfile both name hosts, expected one of them");
  return read_host_file(read_text(file), file);
}

void warn(const std::string& message) {
  std::fprintf(stderr, "rankmap: warning: %s\n", message.c_str());
}

}  // namespace rankmap::cli
