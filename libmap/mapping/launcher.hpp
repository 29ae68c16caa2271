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
  // Names for a map without, in the order of its nodes. A map with names of its own takes from them
  // the order in which the launcher counts its nodes; empty: the natural order of the names.
  std::vector<std::string> hosts;
};

// A further file that the command line needs.
struct ExportFile {
  std::string name;
  std::string text;
};

struct Export {
  std::string text;                // the file's content
  std::string file_name;           // under which `command` expects it
  std::string command;             // one line to start the job with
  std::vector<std::string> notes;  // what the file carries and what the wrapper applies
  std::vector<ExportFile> more;    // usually none
};

struct LauncherFormat {
  std::string_view name;  // as `--for` takes it
  std::string_view summary;
  std::string_view file_name;  // the usual name of its file
  bool names_hosts;            // needs names for the nodes of a map
  Export (*write)(const MapFile& map, const ExportOptions& options);
};

// rankmap, openmpi4, prrte, mpich ...: one row a format.
std::span<const LauncherFormat> launcher_formats();

// UsageError: unknown format, or a map of several nameless hosts without options.hosts. Infeasible,
// with the reason: the format cannot express the map.
Export export_map(const MapFile& map, std::string_view format, const ExportOptions& options);

}  // namespace rankmap
