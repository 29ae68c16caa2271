#include "cli/export_output.hpp"

#include <cstdio>

#include "libmap/base/files.hpp"
#include "libmap/report/text_table.hpp"

namespace rankmap::cli {
namespace {

bool is_file(const std::string& output) {
  return !output.empty() && output != "-";
}

}  // namespace

void print_export(const Export& written, const std::string& output) {
  const bool to_file = is_file(output);
  if (!to_file) write_text("-", written.text);
  std::FILE* const stream = to_file ? stdout : stderr;
  std::fprintf(stream, "start it with:\n  %s\n", written.command.c_str());
  for (const std::string& note : written.notes) std::fprintf(stream, "note: %s\n", note.c_str());
  if (to_file) return;
  for (const ExportFile& file : written.more)
    std::fprintf(stream, "note: the command also reads %s, which -o FILE writes\n",
                 file.name.c_str());
}

void write_more(const Export& written, const std::string& output) {
  if (!is_file(output)) return;
  for (const ExportFile& file : written.more) write_text(file.name, file.text);
}

std::string format_table() {
  std::vector<std::vector<std::string>> rows = {{"NAME", "WHAT", "FILE"}};
  for (const LauncherFormat& row : launcher_formats())
    rows.push_back({std::string(row.name), std::string(row.summary), std::string(row.file_name)});
  return text_table(rows);
}

std::string format_names() {
  std::string names;
  for (const LauncherFormat& row : launcher_formats())
    names += (names.empty() ? "" : "|") + std::string(row.name);
  return names;
}

}  // namespace rankmap::cli
