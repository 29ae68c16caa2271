#include "cli/launch_job.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/options.hpp"
#include "libmap/base/error.hpp"
#include "libmap/base/files.hpp"
#include "libmap/base/text.hpp"
#include "libmap/mapping/launch.hpp"

namespace rankmap::cli {
namespace {

namespace fs = std::filesystem;

// The signals that end or change a job, and the end of the job itself.
sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2})
    sigaddset(&set, number);
  return set;
}

[[noreturn]] void become(const std::vector<std::string>& argv) {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  const int reason = errno;
  std::fprintf(stderr, "rankmap: cannot start %s: %s\n", words[0], std::strerror(reason));
  constexpr int not_found = 127;
  constexpr int not_executable = 126;
  ::_exit(reason == ENOENT ? not_found : not_executable);
}

int exit_code_of(int status) {
  constexpr int signalled = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : signalled + WTERMSIG(status);
}

int wait_for(pid_t child, const sigset_t& watched) {
  for (;;) {
    siginfo_t info;
    const int number = ::sigwaitinfo(&watched, &info);
    // si_code <= 0: a process sent it to us; the terminal's reach the whole group.
    if (number > 0 && number != SIGCHLD && info.si_code <= 0) ::kill(child, number);
    int status = 0;
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) return exit_code_of(status);
    if (ended < 0 && errno != EINTR) throw SystemError::from_errno("wait for", "the job", errno);
  }
}

int start_and_wait(const std::vector<std::string>& argv) {
  // A parent that ignores SIGCHLD hands that down, and the job's end would pass unseen.
  ::signal(SIGCHLD, SIG_DFL);
  const sigset_t watched = watched_signals();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &watched, &before);
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw SystemError::from_errno("start", argv.front(), errno);
  if (child == 0) {
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    become(argv);
  }
  const int code = wait_for(child, watched);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return code;
}

LaunchOptions launch_options(const JobFlags& flags, const Context& context) {
  if (context.exec_path.empty())
    throw NotAvailable("rankmap-exec was not found beside the program, expected it there");
  LaunchOptions options;
  options.wrapper = context.exec_path;
  options.map_path = fs::absolute(flags.map).string();
  if (!flags.report.empty()) options.report_directory = fs::absolute(flags.report).string();
  return options;
}

}  // namespace

void add_job_flags(CLI::App& app, JobFlags& flags) {
  app.add_option("--map", flags.map, "the map file")->type_name("FILE");
  app.add_option("--hosts", flags.hosts, "names for the nodes of a map without: n0,n1")
      ->type_name("LIST");
}

MapFile map_of(const JobFlags& flags) {
  if (flags.map.empty()) throw UsageError("no map was given, expected --map FILE");
  MapFile map = read_map(read_text(flags.map), flags.map);
  if (!flags.hosts.empty()) return with_hosts(std::move(map), parse_names(flags.hosts));
  if (has_nameless_hosts(map))
    throw UsageError("the map " + rankmap::quoted(flags.map) +
                     " has several nodes without names, expected --hosts n0,n1,...");
  return map;
}

int run_job(const JobFlags& flags, const MapFile& map, const Context& context) {
  if (context.command.empty())
    throw UsageError("no command was given, expected it after \"--\": -- mpirun -np 4 ./app");
  LaunchOptions options = launch_options(flags, context);
  const std::optional<Launcher> launcher = recognise_launcher(context.command.front());
  if (!launcher) {
    throw UsageError(rankmap::quoted(context.command.front()) +
                     " is not a launcher that rankmap knows; put the wrapper before the program "
                     "yourself: " +
                     shell_line(wrapper_words(options)) + " PROGRAM");
  }
  // Hosts given here are not in the file that the ranks will read, and a pipe can be read but once: the
  // ranks read a copy.
  std::optional<TemporaryFolder> folder;
  if (!flags.hosts.empty() || !is_regular_file(flags.map)) {
    folder.emplace();
    options.map_path = folder->path() + "/job.rankmap";
    write_text(options.map_path, write_map(map));
  }
  if (flags.dry_run && folder)
    throw UsageError(
        "--dry-run prints a line to use later, but the names of --hosts stand in no file; "
        "give them to `rankmap map --hosts` instead");
  const Launch launch = wrap_launch(context.command, launcher->kind, options);
  if (flags.dry_run) {
    std::printf("%s\n", shell_line(launch.argv).c_str());
    return 0;
  }
  if (!flags.quiet)
    for (const std::string& note : launch.notes)
      std::fprintf(stderr, "rankmap: %s\n", note.c_str());
  return start_and_wait(launch.argv);
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "rankmap.XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr)
    throw SystemError::from_errno("create a folder in", fs::temp_directory_path().string(), errno);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace rankmap::cli
