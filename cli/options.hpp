// Options that several subcommands share, and their reading.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "libmap/machine/machine.hpp"
#include "libmap/model/objective.hpp"

namespace rankmap::cli {

// --hosts and --hostfile.
void add_host_flags(CLI::App& app, std::string& list, std::string& file, const std::string& whose);
// The names in the given order; empty: none were given. UsageError: both were.
std::vector<std::string> host_names(const std::string& list, const std::string& file);

struct MachineFlags {
  std::string spec;
  std::string nvlink_file;
  std::string hosts;
  std::string host_file;
  std::string cores = "own";
};
void add_machine_flags(CLI::App& app, MachineFlags& flags, bool required);
// Reads the machine; its warnings go to stderr unless `quiet`.
Machine machine_of(const MachineFlags& flags, const Context& context, bool quiet);

struct AppFlags {
  std::string positional;
  std::string option;
};
// The app as the first positional and as --app.
void add_app_flags(CLI::App& app, AppFlags& flags);
std::string app_text_of(const AppFlags& flags);  // UsageError: missing, or given twice

// "0,3" and "0=3,1=2"; UsageError names the wrong item.
std::vector<SlotId> parse_slots(const std::string& text, const char* option);
std::vector<std::pair<Rank, SlotId>> parse_fixed(const std::string& text);
std::vector<std::string> parse_names(const std::string& text);
// What --hosts takes: "n[01-04,07],login1", or "job" for the hosts of this allocation.
std::vector<std::string> parse_hosts(const std::string& text);

void warn(const std::string& message);  // "rankmap: warning: ..." on stderr

}  // namespace rankmap::cli
