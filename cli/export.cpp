// rankmap export: a map in the words of one launcher.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/export_output.hpp"
#include "cli/options.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"

namespace rankmap::cli {
namespace {

struct Flags {
  std::string map;
  std::string launcher;
  std::string output;
  std::string hosts;
  std::string host_file;
  std::string program = "PROGRAM";
  bool list = false;
};

int export_action(const Flags& flags) {
  if (flags.list) {
    write_text("-", format_table());
    return 0;
  }
  if (flags.map.empty() || flags.launcher.empty())
    throw UsageError(flags.map.empty() ? "no map was given, expected MAP, or --list"
                                       : "no launcher was given, expected --for LAUNCHER");
  ExportOptions options;
  options.program = flags.program;
  options.map_path = flags.map == "-" ? "job.rankmap" : flags.map;
  options.hosts = host_names(flags.hosts, flags.host_file);
  const bool to_file = !flags.output.empty() && flags.output != "-";
  if (to_file) options.file_name = flags.output;
  const MapFile map = read_map(read_text(flags.map), flags.map);
  const Export written = export_map(map, flags.launcher, options);
  if (to_file) write_text(flags.output, written.text);
  write_more(written, flags.output);
  print_export(written, flags.output);
  return 0;
}

}  // namespace

Action setup_export(CLI::App& app, const Context&) {
  const auto flags = std::make_shared<Flags>();
  app.add_option("MAP", flags->map, "a map file (- for standard input)");
  app.add_option("--for", flags->launcher, format_names())->type_name("LAUNCHER");
  app.add_flag("--list", flags->list, "list the launchers' formats");
  app.add_option("-o,--output", flags->output, "write the launcher's file here")->type_name("FILE");
  add_host_flags(app, flags->hosts, flags->host_file,
                 "names for the nodes of a map without, or the order of those it has");
  app.add_option("--program", flags->program, "the program and its arguments, for the command line")
      ->type_name("COMMAND");
  return [flags] { return export_action(*flags); };
}

}  // namespace rankmap::cli
