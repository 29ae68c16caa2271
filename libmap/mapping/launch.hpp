// Starting a job through somebody else's launcher: which launcher it is, where its program begins,
// and the command line with the wrapper in front of the program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libmap/base/error.hpp"

namespace rankmap {

enum class LauncherKind { openmpi, prrte, hydra };

struct Launcher {
  LauncherKind kind;
  std::string version;  // the first line it says about itself
};

// Is this the name (basename) of a launcher we know: mpirun, mpiexec, mpiexec.hydra, orterun, ...?
bool is_launcher_name(std::string_view program);

// Which launcher speaks so for `--version`; nullopt: none we know.
std::optional<Launcher> launcher_of_version(std::string_view text);

// Runs `program --version` and looks. nullopt: its name or its answer is not one we know.
// NotAvailable: the program is not found.
std::optional<Launcher> recognise_launcher(const std::string& program);

struct LaunchOptions {
  std::string wrapper;                                         // path of rankmap-exec
  std::string map_path;                                        // passed as --map; "": not passed
  std::string report_directory;                                // passed as --report; "": no report
  std::vector<std::pair<std::string, std::string>> variables;  // set in every rank's environment
  std::string rankfile;  // Open MPI: given as -rf unless the user mapped; "": none
};

struct Launch {
  std::vector<std::string> argv;
  std::vector<std::string> notes;  // what was added, for people
};

// The command line with the wrapper before the program of every application context (joined by
// ":"), the variables, and no binding by the launcher unless the user asked for one. UsageError when
// the place of the program is not certain: an unknown option, or no program; says where to put the
// wrapper by hand.
Launch wrap_launch(const std::vector<std::string>& argv, LauncherKind kind,
                   const LaunchOptions& options);

// `rankmap-exec --map F --report D --`, for such advice.
std::vector<std::string> wrapper_words(const LaunchOptions& options);

// The words as one shell line, quoted where needed.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace rankmap
