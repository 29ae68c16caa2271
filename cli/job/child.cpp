#include "cli/job/child.hpp"

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

bool is_ignored(int number) {
  struct sigaction present {};
  return ::sigaction(number, nullptr, &present) == 0 && present.sa_handler == SIG_IGN;
}

// The signals that end or change a job, and the end of the job itself. What nohup ignores stays ignored.
sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2})
    if (!is_ignored(number)) sigaddset(&set, number);
  return set;
}

// The job's own input must not be read before the job is there.
void redirect(const std::string& path) {
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  ::dup2(file, STDOUT_FILENO);
  ::dup2(file, STDERR_FILENO);
}

// As the process was started; what children get back.
struct Inherited {
  bool held = false;
  sigset_t mask{};
  struct sigaction broken_pipe {};
};
Inherited inherited;

[[noreturn]] void become(const Child& child) {
  if (inherited.held) ::sigaction(SIGPIPE, &inherited.broken_pipe, nullptr);
  for (const auto& [name, value] : child.environment) ::setenv(name.c_str(), value.c_str(), 1);
  // A job of its own: what placed us, if anything did, has not placed its ranks.
  ::unsetenv("RANKMAP_PLACED");
  ::unsetenv("RANKMAP_PASSED");
  if (!child.output.empty()) redirect(child.output);
  if (child.stdout_to_stderr) ::dup2(STDERR_FILENO, STDOUT_FILENO);
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

bool ends_a_job(int number) {
  return number == SIGTERM || number == SIGINT || number == SIGHUP || number == SIGQUIT;
}

// Takes the signals that wait; the last one that ends a job, else 0.
int take_pending(const sigset_t& watched) {
  constexpr timespec no_time{0, 0};
  int ending = 0;
  for (int number = 0; (number = ::sigtimedwait(&watched, nullptr, &no_time)) > 0;)
    if (ends_a_job(number)) ending = number;
  return ending;
}

Ended wait_for(pid_t child, const sigset_t& watched) {
  Ended ended;
  for (;;) {
    siginfo_t info;
    const int number = ::sigwaitinfo(&watched, &info);
    if (ends_a_job(number)) ended.signal = number;
    // si_code <= 0: a process sent it to us; the terminal's reach the whole group.
    if (number > 0 && number != SIGCHLD && info.si_code <= 0) ::kill(child, number);
    int status = 0;
    const pid_t found = ::waitpid(child, &status, WNOHANG);
    if (found == child) ended.code = exit_code_of(status);
    if (found == child) return ended;
    if (found < 0 && errno != EINTR) throw SystemError::from_errno("wait for", "the job", errno);
  }
}

}  // namespace

void hold_signals() {
  if (inherited.held) return;
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &inherited.broken_pipe);
  const sigset_t watched = watched_signals();
  ::sigprocmask(SIG_BLOCK, &watched, &inherited.mask);
  inherited.held = true;
}

Ended start_and_wait(const Child& child) {
  // A parent that ignores SIGCHLD hands that down, and the job's end would pass unseen.
  ::signal(SIGCHLD, SIG_DFL);
  const sigset_t watched = watched_signals();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &watched, &before);
  if (const int given_up = take_pending(watched)) return {signalled + given_up, given_up};
  std::fflush(nullptr);
  const pid_t started = ::fork();
  if (started < 0) throw SystemError::from_errno("start", child.argv.front(), errno);
  if (started == 0) {
    ::sigprocmask(SIG_SETMASK, inherited.held ? &inherited.mask : &before, nullptr);
    become(child);
  }
  Ended ended = wait_for(started, watched);
  // What came after the end of the job is about a job that is over.
  if (const int late = take_pending(watched)) ended.signal = late;
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return ended;
}

}  // namespace rankmap::cli
