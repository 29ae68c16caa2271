#include "cli/export_output.hpp"

#include <cstdio>

#include "libmap/base/files.hpp"

namespace rankmap::cli {

void print_export(const Export& written, const std::string& output) {
  const bool to_file = !output.empty() && output != "-";
  if (!to_file) write_text("-", written.text);
  std::FILE* const stream = to_file ? stdout : stderr;
  std::fprintf(stream, "start it with:\n  %s\n", written.command.c_str());
  for (const std::string& note : written.notes) std::fprintf(stream, "note: %s\n", note.c_str());
}

std::string format_names() {
  std::string names;
  for (const LauncherFormat& row : launcher_formats())
    names += (names.empty() ? "" : "|") + std::string(row.name);
  return names;
}

}  // namespace rankmap::cli
