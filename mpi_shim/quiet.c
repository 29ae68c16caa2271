#define _GNU_SOURCE
#include "mpi_shim/quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static int write_all(int file, const char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t got = write(file, bytes, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    bytes += got;
    size -= (size_t)got;
  }
  return 1;
}

/* Both signals go to the thread that writes, so they are blocked here, and taken back if they came
 * by us: one that was pending before stays. */
int rankmap_write_quietly(int file, const char* bytes, size_t size) {
  const struct timespec no_time = {0, 0};
  sigset_t ours, before, pending;
  sigemptyset(&ours);
  sigemptyset(&pending);
  sigaddset(&ours, SIGPIPE);
  sigaddset(&ours, SIGXFSZ);
  if (sigprocmask(SIG_BLOCK, &ours, &before) != 0) return 0;
  sigpending(&pending);
  const int written = write_all(file, bytes, size);
  if (sigismember(&pending, SIGPIPE)) sigdelset(&ours, SIGPIPE);
  if (sigismember(&pending, SIGXFSZ)) sigdelset(&ours, SIGXFSZ);
  if (!written)
    while (sigtimedwait(&ours, NULL, &no_time) < 0 && errno == EINTR) continue;
  sigprocmask(SIG_SETMASK, &before, NULL);
  return written;
}

int rankmap_write_file(const char* path, const char* bytes, size_t size) {
  char part[4096];
  const int length = snprintf(part, sizeof part, "%s.part", path);
  if (length < 0 || (size_t)length >= sizeof part) return 0;
  const int file =
      open(part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
  if (file < 0) return 0;
  const int written = rankmap_write_quietly(file, bytes, size);
  const int closed = close(file) == 0;
  if (written && closed && rename(part, path) == 0) return 1;
  unlink(part);
  return 0;
}
