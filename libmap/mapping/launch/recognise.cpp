// Which launcher a program is: by its name, then by what it says about itself.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

#include "libmap/base/text.hpp"
#include "libmap/mapping/launch.hpp"

extern char** environ;

namespace rankmap {
namespace {

// Names that several launchers share: they must be asked.
constexpr std::string_view shared_names[] = {
    "mpirun",        "mpiexec",       "mpirun.openmpi", "mpiexec.openmpi", "mpirun.mpich",
    "mpiexec.mpich", "mpiexec.hydra", "mpirun.hydra",   "orterun",         "prterun",
};

struct OwnName {
  std::string_view name;
  LauncherKind kind;
};
constexpr OwnName own_names[] = {
    {"srun", LauncherKind::srun},
    {"flux", LauncherKind::flux},
    {"jsrun", LauncherKind::jsrun},
    {"torchrun", LauncherKind::torchrun},
};

std::string_view basename_of(std::string_view program) {
  return program.substr(program.find_last_of('/') + 1);
}

std::optional<LauncherKind> kind_of_name(std::string_view program) {
  for (const OwnName& own : own_names)
    if (own.name == basename_of(program)) return own.kind;
  return std::nullopt;
}

struct Spelling {
  std::string_view found;
  LauncherKind kind;
};

// Looked for in this order: Open MPI 5 names both itself and PRRTE, Intel MPI may name Hydra.
constexpr Spelling spellings[] = {
    {"PRRTE", LauncherKind::prrte},     {"prte", LauncherKind::prrte},
    {"prterun", LauncherKind::prrte},   {"(Open MPI) 5", LauncherKind::prrte},
    {"PALS", LauncherKind::pals},       {"Intel(R) MPI Library", LauncherKind::intel},
    {"OpenRTE", LauncherKind::openmpi}, {"Open MPI", LauncherKind::openmpi},
    {"HYDRA", LauncherKind::hydra},
};

constexpr std::chrono::seconds patience{10};
constexpr std::size_t output_limit = 1 << 16;

// Reads what arrives until the end, the limit, or the end of patience.
std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> buffer;
  const auto end = std::chrono::steady_clock::now() + patience;
  while (text.size() < output_limit) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd waiting{file, POLLIN, 0};
    if (left.count() <= 0 || poll(&waiting, 1, static_cast<int>(left.count())) <= 0) break;
    const ssize_t got = read(file, buffer.data(), buffer.size());
    if (got <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text;
}

// Starts `program --version` with its output in the pipe's write end.
pid_t start_version(const std::string& program, const int ends[2]) {
  std::string name = program, option = "--version";
  char* const arguments[] = {name.data(), option.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  // A group of its own, so that nothing it starts outlives the question; no signal of ours held back.
  posix_spawnattr_t attributes;
  sigset_t no_signals;
  sigemptyset(&no_signals);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &no_signals);
  pid_t child = 0;
  const int failure =
      posix_spawnp(&child, program.c_str(), &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == ENOENT) throw NotAvailable("the launcher " + quoted(program) + " is not found");
  if (failure != 0) throw SystemError::from_errno("start", program, failure);
  return child;
}

std::string version_text(const std::string& program) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw SystemError::from_errno("make", "a pipe", errno);
  pid_t child = 0;
  try {
    child = start_version(program, ends);
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
  const std::string text = read_all(ends[0]);
  close(ends[0]);
  kill(-child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return text;
}

}  // namespace

bool is_launcher_name(std::string_view program) {
  const std::string_view name = basename_of(program);
  for (const std::string_view known : shared_names)
    if (name == known) return true;
  return kind_of_name(program).has_value();
}

std::optional<Launcher> launcher_of_version(std::string_view text) {
  for (const Spelling& spelling : spellings)
    if (text.find(spelling.found) != std::string_view::npos)
      return Launcher{spelling.kind, std::string(trim(text.substr(0, text.find('\n'))))};
  return std::nullopt;
}

std::optional<Launcher> recognise_launcher(const std::string& program) {
  if (const std::optional<LauncherKind> kind = kind_of_name(program)) return Launcher{*kind, ""};
  if (!is_launcher_name(program)) return std::nullopt;
  return launcher_of_version(version_text(program));
}

Environment current_environment() {
  Environment environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment;
}

}  // namespace rankmap
