#include "cli/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "libmap/base/error.hpp"

namespace rankmap::cli {
namespace {

constexpr int signalled = 128;
constexpr int not_found = 127;
constexpr int not_executable = 126;

// The signals that end or change a job, and the end of the job itself.
sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2})
    sigaddset(&set, number);
  return set;
}

void redirect(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  ::dup2(file, STDOUT_FILENO);
  ::dup2(file, STDERR_FILENO);
}

[[noreturn]] void become(const Child& child) {
  for (const auto& [name, value] : child.environment) ::setenv(name.c_str(), value.c_str(), 1);
  // A job of its own: what placed us, if anything did, has not placed its ranks.
  ::unsetenv("RANKMAP_PLACED");
  ::unsetenv("RANKMAP_PASSED");
  if (!child.output.empty()) redirect(child.output);
  std::vector<char*> words;
  for (const std::string& word : child.argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  const int reason = errno;
  std::fprintf(stderr, "rankmap: cannot start %s: %s\n", words[0], std::strerror(reason));
  ::_exit(reason == ENOENT ? not_found : not_executable);
}

int exit_code_of(int status) {
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

}  // namespace

int start_and_wait(const Child& child) {
  // A parent that ignores SIGCHLD hands that down, and the job's end would pass unseen.
  ::signal(SIGCHLD, SIG_DFL);
  const sigset_t watched = watched_signals();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &watched, &before);
  std::fflush(nullptr);
  const pid_t started = ::fork();
  if (started < 0) throw SystemError::from_errno("start", child.argv.front(), errno);
  if (started == 0) {
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    become(child);
  }
  const int code = wait_for(started, watched);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return code;
}

}  // namespace rankmap::cli
