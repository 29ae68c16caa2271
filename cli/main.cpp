// The program: finds the subcommand, runs it, and turns every error into a message and an exit code.
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <limits>
#include <new>

#include "cli/command.hpp"
#include "cli/help.hpp"
#include "cli/paths.hpp"
#include "libmap/base/error.hpp"

namespace rankmap::cli {
namespace {

constexpr std::array command_table = {
    Command{"map", "place an app on a machine: mapping, score, bound and gap",
            "  rankmap map ring:4 -m dgx1-v100\n"
            "  rankmap map alltoall:8 -m topo.txt --busy 0,3 --json\n"
            "  rankmap map stencil:2x4 -m dgx1-v100 -o job.rankmap\n"
            "  rankmap map ring:4 -m local --for openmpi4 -o rankfile",
            true, false, setup_map},
    Command{"run", "start an MPI job as planned; without a plan, everything near to each rank",
            "  rankmap run -- mpirun -np 4 ./app\n"
            "  rankmap run --map job.rankmap -- srun -n 8 ./app\n"
            "  rankmap run --map job.rankmap --report ranks.json -- mpiexec -n 4 ./app",
            true, true, setup_run},
    Command{"check", "planned against actual placement of every rank",
            "  rankmap check --map job.rankmap -- mpirun -np 4 ./app\n"
            "  rankmap check --live\n"
            "  rankmap check --map job.rankmap seen/",
            true, true, setup_check},
    Command{"show", "a machine, an app, a map, or several maps side by side",
            "  rankmap show dgx1-v100\n"
            "  rankmap show stencil:4x4\n"
            "  rankmap show a.rankmap b.rankmap",
            true, false, setup_show},
    Command{"machine", "read a topology and say what was understood",
            "  nvidia-smi topo -m | rankmap machine -\n"
            "  rankmap machine hgx-h100 --json\n"
            "  rankmap machine --list",
            false, false, setup_machine},
    Command{"pattern", "what a pattern text means, edge by edge",
            "  rankmap pattern stencil:4x4,periodic=x\n"
            "  rankmap pattern --list",
            false, false, setup_pattern},
    Command{"score", "what maps are worth, side by side",
            "  rankmap score ring:4 -m dgx1-v100 --map a.rankmap --map b.rankmap", false, false,
            setup_score},
    Command{"export", "write a map the way a launcher wants it",
            "  rankmap export job.rankmap --for openmpi4 -o rankfile\n"
            "  rankmap export job.rankmap --for prrte --hosts n0,n1",
            false, false, setup_export},
    Command{"exec", "place this process as its rank's line says, then become the program",
            "  mpirun -np 4 rankmap exec --map job.rankmap -- ./app", false, true, setup_exec},
};

// `rankmap run ... -- mpirun ...`: what follows the first "--" belongs to the command.
std::vector<std::string> split_off_command(std::vector<std::string>& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes == arguments.end()) return {};
  std::vector<std::string> command(dashes + 1, arguments.end());
  arguments.erase(dashes, arguments.end());
  return command;
}

bool takes_command(const std::vector<std::string>& arguments) {
  return !arguments.empty() &&
         std::any_of(command_table.begin(), command_table.end(), [&](const Command& row) {
           return row.takes_command && arguments.front() == row.name;
         });
}

// `run` and `exec` give the program's own code, so a failure of ours is 125 there, as in env(1).
bool passes_code(const std::vector<std::string>& arguments) {
  return !arguments.empty() && (arguments.front() == "run" || arguments.front() == "exec");
}

int complain(const std::string& message, ExitCode code, bool instead_of_a_program) {
  constexpr int ours = 125;
  std::fprintf(stderr, "rankmap: %s\n", message.c_str());
  return instead_of_a_program ? ours : static_cast<int>(code);
}

// Said by us, because CLI11 would only miss a subcommand.
void check_subcommand(const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front().starts_with("-")) return;
  std::vector<std::string> names;
  for (const Command& row : command_table) names.emplace_back(row.name);
  names.emplace_back("help");
  if (std::find(names.begin(), names.end(), arguments.front()) == names.end())
    throw UsageError::unknown("subcommand", arguments.front(), names);
}

std::string advice_for(const std::string& subcommand, const Context& context) {
  const std::string help = "\nSee `rankmap help " + subcommand + "`.";
  const bool dashes = takes_command({subcommand}) && context.command.empty();
  return dashes ? "\nThe command to run goes after \"--\": -- mpirun -np 4 ./app" + help : help;
}

// Tables of a million ranks are made and dropped many times: given back to the system each time,
// half of the run would go into page faults.
void keep_memory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

int run_program(std::vector<std::string> arguments) {
  keep_memory();
  Context context = find_paths();
  check_subcommand(arguments);
  const std::string first = arguments.empty() ? "" : arguments.front();
  if (takes_command(arguments)) context.command = split_off_command(arguments);

  CLI::App app("Decides where every rank of an MPI job runs, proves it, and makes it happen.",
               "rankmap");
  app.set_version_flag("--version", std::string("rankmap ") + RANKMAP_VERSION);
  app.require_subcommand(1);
  std::vector<std::pair<CLI::App*, Action>> actions;
  for (const Command& row : command_table) {
    CLI::App* const sub = app.add_subcommand(row.name, row.summary);
    sub->footer(std::string("Examples:\n") + row.examples);
    if (!row.everyday) sub->group("Building blocks");
    actions.emplace_back(sub, row.setup(*sub, context));
  }
  CLI::App* const help = app.add_subcommand("help", "help on a subcommand; --all lists every one");
  actions.emplace_back(help, setup_help(*help, app, context));
  app.get_formatter()->column_width(34);

  try {
    std::reverse(arguments.begin(), arguments.end());
    app.parse(arguments);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::string(error.what()) + advice_for(first, context));
  }
  for (const auto& [sub, action] : actions)
    if (sub->parsed()) return action();
  throw Bug("no subcommand ran");
}

}  // namespace

std::span<const Command> commands() {
  return command_table;
}

}  // namespace rankmap::cli

int main(int argc, char** argv) {
  using rankmap::ExitCode;
  using rankmap::cli::complain;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool ours = rankmap::cli::passes_code(arguments);
  try {
    const int code = rankmap::cli::run_program(arguments);
    if (std::fflush(stdout) != 0)
      return complain("cannot write the result", ExitCode::system, ours);
    return code;
  } catch (const rankmap::Error& error) {
    return complain(error.what(), error.code(), ours);
  } catch (const std::bad_alloc&) {
    return complain("out of memory", ExitCode::system, ours);
  } catch (const std::exception& error) {
    return complain(std::string("internal error: ") + error.what(), ExitCode::bug, ours);
  }
}
