// rankmap exec: becomes rankmap-exec, which places this process and becomes the program.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <memory>

#include "cli/command.hpp"
#include "libmap/base/error.hpp"

namespace rankmap::cli {
namespace {

struct Flags {
  std::string map;
  std::string report;
};

[[noreturn]] void become_wrapper(const Flags& flags, const Context& context) {
  if (context.exec_path.empty())
    throw NotAvailable("rankmap-exec was not found beside the program, expected it there");
  if (context.command.empty())
    throw UsageError("no program was given, expected it after \"--\": -- ./app");
  std::vector<std::string> argv = {context.exec_path};
  if (!flags.map.empty()) argv.insert(argv.end(), {"--map", flags.map});
  if (!flags.report.empty()) argv.insert(argv.end(), {"--report", flags.report});
  argv.emplace_back("--");
  argv.insert(argv.end(), context.command.begin(), context.command.end());
  std::vector<char*> words;
  for (std::string& word : argv) words.push_back(word.data());
  words.push_back(nullptr);
  ::execv(words[0], words.data());
  throw SystemError::from_errno("start", context.exec_path, errno);
}

}  // namespace

Action setup_exec(CLI::App& app, const Context& context) {
  const auto flags = std::make_shared<Flags>();
  app.add_option("--map", flags->map, "the map file (else the one RANKMAP_MAP names)")
      ->type_name("FILE");
  app.add_option("--report", flags->report, "write where this rank sits into this folder")
      ->type_name("FOLDER");
  return [flags, &context]() -> int { become_wrapper(*flags, context); };
}

}  // namespace rankmap::cli
