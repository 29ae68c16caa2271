/* count_calls FILE PROGRAM [ARGUMENTS...]: runs a program and prints how often it opened FILE and read
 * from files, until it became another program: "opens 1 preads 2 reads 3". Exit code 77 where tracing is
 * refused here. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SKIPPED = 77, EXECS = 2 }; /* the first exec starts the program, the second leaves it */

struct counts {
  int opens, preads, reads, execs;
};

static int names_file(pid_t child, uint64_t address, const char* file) {
  char text[4096] = "";
  struct iovec here = {text, strlen(file) + 1};
  struct iovec there = {(void*)(size_t)address, strlen(file) + 1};
  if (process_vm_readv(child, &here, 1, &there, 1, 0) != (ssize_t)here.iov_len) return 0;
  return strcmp(text, file) == 0;
}

static void count(pid_t child, const char* file, struct counts* counts) {
  struct __ptrace_syscall_info info;
  memset(&info, 0, sizeof info);
  if (ptrace(PTRACE_GET_SYSCALL_INFO, child, (void*)sizeof info, &info) <= 0) return;
  if (info.op == PTRACE_SYSCALL_INFO_EXIT) return;
  if (info.op != PTRACE_SYSCALL_INFO_ENTRY) return;
  const uint64_t* const arguments = info.entry.args;
  switch (info.entry.nr) {
    case SYS_openat:
      counts->opens += names_file(child, arguments[1], file);
      break;
#ifdef SYS_open
    case SYS_open:
      counts->opens += names_file(child, arguments[0], file);
      break;
#endif
    case SYS_pread64:
      ++counts->preads;
      break;
    case SYS_read:
      ++counts->reads;
      break;
    case SYS_execve:
      ++counts->execs;
      break;
    default:
      break;
  }
}

static void run(char** program) {
  if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(SKIPPED);
  raise(SIGSTOP);
  execvp(program[0], program);
  _exit(127);
}

int main(int argc, char** argv) {
  struct counts counts = {0, 0, 0, 0};
  int status = 0;
  if (argc < 3) return 2;
  const pid_t child = fork();
  if (child == 0) run(argv + 2);
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return SKIPPED;
  if (ptrace(PTRACE_SETOPTIONS, child, NULL, (void*)(size_t)PTRACE_O_TRACESYSGOOD) != 0)
    return SKIPPED;
  while (counts.execs < EXECS) {
    if (ptrace(PTRACE_SYSCALL, child, NULL, NULL) != 0 || waitpid(child, &status, 0) != child)
      return 1;
    if (WIFEXITED(status)) break;
    if (WIFSTOPPED(status) && WSTOPSIG(status) == (SIGTRAP | 0x80)) count(child, argv[1], &counts);
  }
  if (!WIFEXITED(status)) ptrace(PTRACE_DETACH, child, NULL, NULL);
  if (!WIFEXITED(status)) waitpid(child, &status, 0);
  printf("opens %d preads %d reads %d\n", counts.opens, counts.preads, counts.reads);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
