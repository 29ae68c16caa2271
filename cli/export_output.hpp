// Printing and writing a map in a launcher's format, shared by `map --for` and `export`.
#pragma once

#include <string>

#include "libmap/mapping/launcher.hpp"

namespace rankmap::cli {

// The text to standard output unless it went to a file `output`; the command line and the notes to the
// stream that the text did not take.
void print_export(const Export& written, const std::string& output);

// The files that an export has beside its own, where that went to a file `output`.
void write_more(const Export& written, const std::string& output);

// "rankmap|openmpi4|prrte ...", for help.
std::string format_names();

// A table of all formats: name, summary, usual name of the file.
std::string format_table();

}  // namespace rankmap::cli
