#include "cli/job/launch_job.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "cli/job/child.hpp"
#include "cli/job/mpi_library.hpp"
#include "cli/job/near_plan.hpp"
#include "cli/job/record_job.hpp"
#include "cli/job/temporary_folder.hpp"
#include "cli/options.hpp"
#include "libmap/base/deadline.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/machine/job/allocation.hpp"
#include "libmap/mapping/container.hpp"
#include "libmap/mapping/launch.hpp"

namespace rankmap::cli {
namespace {

namespace fs = std::filesystem;

// Above so many ranks, reports are written on request only: one file a rank is a burden.
constexpr std::size_t most_reports = 1024;

bool is_strict() {
  return environment_variable("RANKMAP_STRICT") == "1";
}

// Without the exception that a deleted working directory would be.
std::string absolute_path(const std::string& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  return failed ? path : absolute.string();
}

// What a rank of an earlier job wrote, or was about to.
bool is_report(const fs::directory_entry& entry) {
  constexpr std::string_view prefix = "rank.", part = ".part", start = "rankmap-report ";
  std::error_code failed;
  std::string name = entry.path().filename().string();
  if (!name.starts_with(prefix) || entry.symlink_status(failed).type() != fs::file_type::regular)
    return false;
  if (name.ends_with(part)) name.resize(name.size() - part.size());
  if (!parse_unsigned(name.substr(prefix.size()))) return false;
  std::ifstream file(entry.path(), std::ios::binary);
  std::string head(start.size(), '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  const bool unfinished = entry.path().extension() == part;
  return head == start || (unfinished && file.gcount() == 0);
}

Launcher launcher_of(const LaunchOptions& advice, const Context& context) {
  if (context.command.empty())
    throw UsageError("no command was given, expected it after \"--\": -- mpirun -np 4 ./app");
  const std::optional<Launcher> launcher = recognise_launcher(context.command.front());
  if (!launcher)
    throw UsageError(rankmap::quoted(context.command.front()) +
                     " is not a launcher that rankmap knows; put the wrapper before the program "
                     "yourself: " +
                     shell_line(wrapper_words(advice)) + " PROGRAM");
  return *launcher;
}

// A job on its way: the map in memory and the file that its ranks read.
class Job {
 public:
  Job(const JobFlags& flags, const Context& context) : flags_(flags), context_(context) {
    if (context.exec_path.empty())
      throw NotAvailable("rankmap-exec was not found beside the program, expected it there");
    options_.wrapper = context.exec_path;
    options_.map_path = flags.map.empty() ? "job.rankmap" : absolute_path(flags.map);
    options_.gpus = flags.gpus;
    options_.nics = flags.nics;
    options_.openmp = flags.openmp;
    options_.inherited = current_environment();
    launcher_ = launcher_of(options_, context);
    if (flags.record.empty() && !flags.phases.empty())
      throw UsageError("--phases is about a record, expected --record FILE with it");
    if (!flags.record.empty())
      recording_.emplace(flags.record, flags.phases, launcher_.kind, context.shim_path,
                         options_.inherited);
    if (recording_ && !recording_->note().empty()) note(recording_->note());
    if (flags.reorder)
      reorder_ = mpi_library("reorder", "--reorder", launcher_.kind, context.shim_path);
  }

  FinishedJob run() {
    FinishedJob finished;
    try {
      finished = run_planned();
    } catch (const Interrupted& interrupted) {
      finished.code = interrupted.code_of_signal();
      return finished;
    }
    if (recording_ && !prints_only()) recording_->finish(flags_.quiet);
    return finished;
  }

 private:
  FinishedJob run_planned() {
    // What cannot be wrapped is refused before anything is started or made.
    if (!flags_.untouched) wrap_launch(context_.command, launcher_.kind, options_);
    if (!plan()) return start_unplaced();
    check_size();
    if (!flags_.save_map.empty()) write_text(flags_.save_map, write_map(map_));
    prepare();
    const Launch launch = wrapped();
    if (prints_only()) return print(launch);
    FinishedJob finished = started({launch.argv, launch.environment, "", flags_.stdout_to_stderr});
    finished.placed = true;
    if (!options_.report_directory.empty())
      finished.rows = read_placement(options_.report_directory, map_);
    finished.map = std::move(map_);
    return finished;
  }

  FinishedJob start_unplaced() {
    const std::vector<std::string> libraries = rank_libraries();
    if (libraries.empty() && !recording_)
      return started({context_.command, {}, "", flags_.stdout_to_stderr});
    const Launch launch = launch_with_libraries(context_.command, launcher_.kind, libraries,
                                                recording_ ? recording_->variables() : Variables{},
                                                options_.inherited);
    return started({launch.argv, launch.environment, "", flags_.stdout_to_stderr});
  }

  // The recorder first, so that it does not count what reordering sends.
  std::vector<std::string> rank_libraries() const {
    std::vector<std::string> libraries;
    if (recording_) libraries = recording_->libraries();
    if (!reorder_.empty()) libraries.push_back(reorder_);
    return libraries;
  }

  // docker's ranks start a line that the user has to put into his own command.
  bool prints_only() const { return flags_.dry_run || flags_.container == "docker"; }

  FinishedJob started(const Child& child) {
    FinishedJob finished;
    if (recording_) recording_->begin();
    const Stopwatch watch;
    finished.code = start_and_wait(child).code;
    finished.seconds = watch.seconds();
    return finished;
  }

  void note(const std::string& text) const {
    if (!flags_.quiet) std::fprintf(stderr, "rankmap: %s\n", text.c_str());
  }

  // false: there is none, and the job is to start untouched.
  bool plan() {
    if (flags_.untouched) return false;
    if (!flags_.map.empty()) {
      map_ = map_of(flags_);
      return true;
    }
    try {
      map_ = plan_near(launcher_, context_);
      if (user_binds_cpus(context_.command, launcher_.kind)) leave_cpus();
      note("no map: each rank gets the GPU, NIC, cores and memory that are nearest to one another");
      return true;
    } catch (const UsageError&) {
      throw;
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      if (is_strict() || prints_only()) throw;
      warn(std::string(error.what()) + "; the job starts as it is, nothing is placed");
      return false;
    }
  }

  // The ranks would say so too, but only when they are there.
  void check_size() const {
    const std::optional<int> asked = ranks_asked(context_.command, launcher_.kind);
    if (!asked || static_cast<std::size_t>(*asked) == map_.rows.size()) return;
    warn("the command starts " + std::to_string(*asked) + " ranks, the map " +
         (flags_.map.empty() ? "" : rankmap::quoted(flags_.map) + " ") + "has " +
         std::to_string(map_.rows.size()) + ": nothing will be placed");
  }

  void leave_cpus() {
    for (MapRow& row : map_.rows) {
      row.cpus = row.cores = row.memory_nodes = CpuSet();
      row.memory_policy.clear();
    }
    note("CPUs and memory stay as the command line binds them");
  }

  // Puts the map where the ranks read it, and makes room for what they say.
  void prepare() {
    const bool several = hosts_of(map_).size() > 1;
    const bool own_file =
        flags_.map.empty() || !flags_.hosts.empty() || !is_regular_file(flags_.map);
    if (prints_only() && !flags_.report.empty())
      options_.report_directory = absolute_path(flags_.report);
    if (!prints_only()) make_folder(several);
    const std::string text = write_map(map_);
    if (!flags_.report.empty() && !prints_only())
      write_text(options_.report_directory + "/job.rankmap", text);  // what `check` judges by
    if (folder_ && (own_file || !several)) {
      // A file that nobody replaces while the ranks start, under the name that the user knows.
      options_.map_path = folder_->path() + "/" + (own_file ? "job.rankmap" : name_of_copy());
      write_text(options_.map_path, text);
    } else if (own_file && !flags_.save_map.empty()) {
      options_.map_path = absolute_path(flags_.save_map);
    } else if (own_file && prints_only()) {
      options_.map_path = "job.rankmap";
      note("the map of this line is not written yet: --save-map FILE does");
    } else if (own_file) {
      throw SystemError("the job's map cannot be written where all its nodes see it");
    }
    options_.sum = map_sum(text);
    options_.stage = several;
  }

  std::string name_of_copy() const {
    const std::string name = fs::path(flags_.map).filename().string();
    return name.empty() || name == "reports" ? "job.rankmap" : name;
  }

  void make_folder(bool several) {
    try {
      folder_.emplace(several ? folder_of_all_nodes() : folder_of_this_host());
    } catch (const SystemError& error) {
      note(std::string(error.what()) + "; there will be no reports");
    }
    if (!flags_.report.empty()) {
      options_.report_directory = absolute_path(flags_.report);
    } else if (folder_ && (flags_.report_all || map_.rows.size() <= most_reports)) {
      options_.report_directory = folder_->path() + "/reports";
    }
    if (options_.report_directory.empty()) return;
    std::error_code failed;
    fs::create_directories(options_.report_directory, failed);
    if (failed) throw SystemError::from_errno("create", options_.report_directory, failed.value());
    remove_old_reports();
  }

  // What an earlier job left would be taken for this one's.
  void remove_old_reports() const {
    std::error_code failed;
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(options_.report_directory, failed))
      if (is_report(entry)) old.push_back(entry.path());
    for (const fs::path& path : old)
      if (!failed) fs::remove(path, failed);
    if (failed)
      throw SystemError::from_errno("remove the reports in", options_.report_directory,
                                    failed.value());
  }

  Launch wrapped() {
    if (flags_.preload) {
      if (context_.shim_path.empty())
        throw NotAvailable(
            "librankmap_shim.so was not found beside the program, expected it there");
      options_.preload.push_back(context_.shim_path);
      if (const std::string peers = peers_library(); !peers.empty())
        options_.preload.push_back(peers);
    }
    if (recording_)
      options_.variables.insert(options_.variables.end(), recording_->variables().begin(),
                                recording_->variables().end());
    load_into_ranks(options_, rank_libraries());
    if (!flags_.container.empty()) add_container();
    Launch launch = wrap_launch(context_.command, launcher_.kind, options_);
    for (const std::string& text : launch.notes) note(text);
    return launch;
  }

  void add_container() {
    const ContainerPlan plan =
        plan_container(container_of_name(flags_.container), launcher_.kind, options_);
    options_.variables.insert(options_.variables.end(), plan.variables.begin(),
                              plan.variables.end());
    options_.launcher_words.insert(options_.launcher_words.end(), plan.launcher_words.begin(),
                                   plan.launcher_words.end());
    for (const std::string& text : plan.notes) note(text);
    for (const std::string& line : plan.printed) std::printf("%s\n", line.c_str());
  }

  std::string peers_library() const {
    const std::string mpi = mpi_of_job(launcher_.kind);
    if (mpi.empty()) return "";
    const fs::path folder = fs::path(context_.shim_path).parent_path();
    const fs::path library = folder / ("librankmap_peers_" + mpi + ".so");
    return is_regular_file(library.string()) ? library.string() : "";
  }

  FinishedJob print(const Launch& launch) const {
    if (!flags_.dry_run) return {};
    std::vector<std::string> words;
    for (const auto& [name, value] : launch.environment) words.push_back(name + "=" + value);
    words.insert(words.end(), launch.argv.begin(), launch.argv.end());
    if (!launch.environment.empty()) words.insert(words.begin(), "env");
    std::printf("%s\n", shell_line(words).c_str());
    return {};
  }

  const JobFlags& flags_;
  const Context& context_;
  LaunchOptions options_;
  Launcher launcher_{};
  MapFile map_;
  std::optional<TemporaryFolder> folder_;
  std::optional<Recording> recording_;
  std::string reorder_;  // the library; "": not asked for
};

}  // namespace

void add_job_flags(CLI::App& app, JobFlags& flags) {
  app.add_option("--map", flags.map,
                 "the map file; without one every rank gets what is nearest to it")
      ->type_name("FILE");
  app.add_option("--hosts", flags.hosts, "names for the nodes of a map without: n0,n1")
      ->type_name("LIST");
  app.add_option(
         "--gpus", flags.gpus,
         "what a rank sees: own GPU alone; aligned: one list for all ranks of the node, its "
         "own at its local rank; own-first: all, its own first; keep: as it was")
      ->check(CLI::IsMember({"own", "aligned", "own-first", "keep"}))
      ->type_name("MODE");
  app.add_option("--nics", flags.nics, "nccl: bind NCCL to the rank's NIC as well; keep: no NIC")
      ->check(CLI::IsMember({"nccl", "keep"}))
      ->type_name("MODE");
  app.add_flag("--openmp", flags.openmp, "set OMP_NUM_THREADS and OMP_PLACES to the rank's cores");
  app.add_flag("--preload", flags.preload,
               "load the shim into the ranks instead of putting the wrapper before the program");
  app.add_flag("--reorder", flags.reorder,
               "honour reorder=1 of the program's own topologies (MPI_Cart_create, "
               "MPI_Dist_graph_create, ...): neighbours on one host where that is possible");
  app.add_option(
         "--container", flags.container,
         "the program runs in a container: apptainer, pyxis, or docker, whose line is only printed")
      ->check(CLI::IsMember({"apptainer", "pyxis", "docker"}))
      ->type_name("KIND");
}

MapFile map_of(const JobFlags& flags) {
  if (flags.map.empty()) throw UsageError("no map was given, expected --map FILE");
  MapFile map = read_map(read_text(flags.map), flags.map);
  if (!flags.hosts.empty()) return with_hosts(std::move(map), parse_hosts(flags.hosts));
  if (has_nameless_hosts(map))
    throw UsageError("the map " + rankmap::quoted(flags.map) +
                     " has several nodes without names, expected --hosts n0,n1,...");
  return map;
}

FinishedJob run_job(const JobFlags& flags, const Context& context) {
  if (flags.map.empty() && !flags.hosts.empty())
    throw UsageError("--hosts names the nodes of a map, but no --map was given");
  return Job(flags, context).run();
}

}  // namespace rankmap::cli
