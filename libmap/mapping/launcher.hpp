// A map in the words of one launcher: the file it reads, and the exact command line to use.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libmap/mapping/map_file.hpp"

namespace rankmap {

struct ExportOptions {
  std::string program = "PROGRAM";       // with its arguments, as a person types it
  std::string map_path = "job.rankmap";  // where the map file is or will be, for the wrapper
  std::string file_name;                 // of the exported file; "": the format's own
  std::vector<std::string> hosts;        // names for a map without; empty: it has its own
};

struct Export {
  std::string text;                // the file's content
  std::string file_name;           // under which `command` expects it
  std::string command;             // one line to start the job with
  std::vector<std::string> notes;  // what the file carries and what the wrapper applies
};

struct LauncherFormat {
  std::string_view name;  // as `--for` takes it
  std::string_view summary;
  std::string_view file_name;  // the usual name of its file
  Export (*write)(const MapFile& map, const ExportOptions& options);
};

// rankmap, openmpi4, prrte.
std::span<const LauncherFormat> launcher_formats();

// UsageError: unknown format, or a map of several nameless hosts without options.hosts. Infeasible,
// naming the rank: the format cannot express the map.
Export export_map(const MapFile& map, std::string_view format, const ExportOptions& options);

}  // namespace rankmap
