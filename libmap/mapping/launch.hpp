// Starting a job through somebody else's launcher: which launcher it is, where its program begins,
// and the command line with the wrapper in front of the program.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libmap/base/error.hpp"

namespace rankmap {

enum class LauncherKind { openmpi, prrte, hydra, intel, srun, flux, jsrun, pals, torchrun };

struct Launcher {
  LauncherKind kind;
  std::string version;  // the first line it says about itself; "": known by its name alone
};

// Is this the name (basename) of a launcher we know: mpirun, mpiexec.hydra, srun, flux, ...?
bool is_launcher_name(std::string_view program);

// Which launcher speaks so for `--version`; nullopt: none we know.
std::optional<Launcher> launcher_of_version(std::string_view text);

// By its name alone, or runs `program --version` and looks. nullopt: its name or its answer is not
// one we know. NotAvailable: the program that must be asked is not found.
std::optional<Launcher> recognise_launcher(const std::string& program);

using Environment = std::map<std::string, std::string>;
Environment current_environment();

using Variables = std::vector<std::pair<std::string, std::string>>;

struct LaunchOptions {
  std::string wrapper;           // path of rankmap-exec
  std::string map_path;          // passed as --map; "": not passed
  std::string report_directory;  // passed as --report; "": no report
  std::string sum, gpus, nics;   // passed as --sum, --gpus, --nics; "": not passed
  bool stage = false, openmp = false, verbose = false;
  Variables variables;               // set in every rank's environment
  std::string rankfile;              // Open MPI: given as -rf unless the user mapped; "": none
  std::vector<std::string> preload;  // libraries; not empty: they go before the wrapper's place,
                                     // and what the wrapper is told goes into variables
  std::vector<std::string> launcher_words;  // further options for the launcher itself
  Environment inherited;                    // what the launcher will find in its environment
};

struct Launch {
  std::vector<std::string> argv;
  Variables environment;           // to be set before argv is started: the ranks inherit it
  std::vector<std::string> notes;  // what was added, and what may be in the way; for people
};

// The command line with the wrapper before the program of every application context (joined by
// ":"), the variables, and no binding by the launcher unless the user asked for one. torchrun gets
// --no-python, and Python behind the wrapper. UsageError when the place of the program is not
// certain: an unknown option, or no program; says where to put the wrapper by hand.
Launch wrap_launch(const std::vector<std::string>& argv, LauncherKind kind,
                   const LaunchOptions& options);

// The same line with probe_words in place of every program and its arguments. The user's options
// that only bind are left out; those that also map the ranks stay. Of options only variables,
// launcher_words and inherited are used. UsageError as above.
Launch probe_launch(const std::vector<std::string>& argv, LauncherKind kind,
                    const std::vector<std::string>& probe_words, const LaunchOptions& options = {});

// The number of ranks, where the command line and the environment make it certain that all of them
// run on this host; nullopt in any doubt. Open MPI 4, hydra and Intel MPI only.
std::optional<int> ranks_on_this_host_only(const std::vector<std::string>& argv, LauncherKind kind,
                                           const Environment& environment);

// The number of ranks that the command line asks for in plain numbers, all contexts together; nullopt
// where one does not say.
std::optional<int> ranks_asked(const std::vector<std::string>& argv, LauncherKind kind);

// Whether the command line asks for CPUs of the ranks in words of its own, `none` not counted. false
// where it is not certain what the words mean: wrap_launch refuses those.
bool user_binds_cpus(const std::vector<std::string>& argv, LauncherKind kind);

// `rankmap-exec --map F --report D --`, for such advice.
std::vector<std::string> wrapper_words(const LaunchOptions& options);

// What wrapper_words says, as the variables that the preloaded library reads, and LD_PRELOAD with
// what was inherited behind ours. UsageError: a path that LD_PRELOAD would take apart.
Variables preload_variables(const LaunchOptions& options);

// The words as one shell line, quoted where needed.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace rankmap
