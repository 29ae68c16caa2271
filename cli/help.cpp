#include "cli/help.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/manual.hpp"
#include "libmap/base/error.hpp"
#include "libmap/report/text_table.hpp"

namespace rankmap::cli {
namespace {

struct Flags {
  std::string subcommand;
  bool all = false;
  bool man = false;
  bool completion = false;
};

const Command& command_of(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& row : commands()) {
    if (row.name == name) return row;
    names.emplace_back(row.name);
  }
  throw UsageError::unknown("subcommand", name, names);
}

std::string overview(bool all);

std::string answer(const Flags& flags, const CLI::App& program, const Context& context) {
  if (flags.completion) return bash_completion(program, context);
  if (flags.subcommand.empty()) return flags.man ? man_page_of_program() : overview(flags.all);
  const Command& command = command_of(flags.subcommand);
  const CLI::App* const sub = program.get_subcommand(command.name);
  return flags.man ? man_page(*sub, command) : sub->help("rankmap");
}

std::string overview(bool all) {
  std::string text =
      "rankmap decides where every rank of an MPI job runs, proves how good that is,\n"
      "writes it for the launcher, and makes it happen at launch.\n\n";
  std::vector<std::vector<std::string>> rows;
  for (const Command& row : commands())
    if (row.everyday || all) rows.push_back({std::string("  ") + row.name, row.summary});
  text += text_table(rows);
  text +=
      all ? "\n`rankmap help NAME` explains one.\n"
          : "\n`rankmap help --all` lists the building blocks, `rankmap help NAME` explains one.\n";
  return text +
         "\nFirst steps:\n"
         "  rankmap map ring:4 -m dgx1-v100 -o job.rankmap     place 4 ranks on a DGX-1V\n"
         "  rankmap run --map job.rankmap -- mpirun -np 4 ./app  start them there\n"
         "\nExit codes: 0 ok, 1 infeasible or a check says no, 2 usage, 3 bad input, 4 not "
         "available\n"
         "here, 5 system error, 70 a bug; run and exec pass the program's own, 125 is ours "
         "there.\n";
}

}  // namespace

Action setup_help(CLI::App& app, const CLI::App& program, const Context& context) {
  const auto flags = std::make_shared<Flags>();
  app.add_option("NAME", flags->subcommand, "a subcommand");
  app.add_flag("--all", flags->all, "list every subcommand");
  app.add_flag("--man", flags->man, "print the man page");
  app.add_flag("--completion", flags->completion, "print a completion script for bash");
  return [flags, &program, &context] {
    const std::string text = answer(*flags, program, context);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
  };
}

}  // namespace rankmap::cli
