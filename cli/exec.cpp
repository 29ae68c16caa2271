// rankmap exec: becomes rankmap-exec, which places this process and becomes the program.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <memory>

#include "cli/command.hpp"
#include "libmap/base/error.hpp"
#include "libmap/mapping/launch.hpp"

namespace rankmap::cli {
namespace {

[[noreturn]] void become_wrapper(LaunchOptions options, const Context& context) {
  if (context.exec_path.empty())
    throw NotAvailable("rankmap-exec was not found beside the program, expected it there");
  if (context.command.empty())
    throw UsageError("no program was given, expected it after \"--\": -- ./app");
  options.wrapper = context.exec_path;
  std::vector<std::string> argv = wrapper_words(options);
  argv.insert(argv.end(), context.command.begin(), context.command.end());
  std::vector<char*> words;
  for (std::string& word : argv) words.push_back(word.data());
  words.push_back(nullptr);
  ::execv(words[0], words.data());
  throw SystemError::from_errno("start", context.exec_path, errno);
}

}  // namespace

Action setup_exec(CLI::App& app, const Context& context) {
  const auto options = std::make_shared<LaunchOptions>();
  app.add_option("--map", options->map_path, "the map file (else the one RANKMAP_MAP names)")
      ->type_name("FILE");
  app.add_option("--report", options->report_directory,
                 "write where this rank sits into this folder")
      ->type_name("FOLDER");
  app.add_option("--gpus", options->gpus, "own, aligned, own-first or keep (see run)")
      ->check(CLI::IsMember({"own", "aligned", "own-first", "keep"}))
      ->type_name("MODE");
  app.add_option("--nics", options->nics, "nccl or keep (see run)")
      ->check(CLI::IsMember({"nccl", "keep"}))
      ->type_name("MODE");
  app.add_flag("--openmp", options->openmp, "set OMP_NUM_THREADS and OMP_PLACES");
  app.add_flag("--verbose", options->verbose, "say where this rank was placed");
  return [options, &context]() -> int { become_wrapper(*options, context); };
}

}  // namespace rankmap::cli
