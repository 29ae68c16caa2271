#define _GNU_SOURCE
#include "mpi_shim/own_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "mpi_shim/text.h"

enum { STALE = 30 };

static int is_usable(const char* folder) {
  const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return 0;
  close(file);
  return access(folder, W_OK | X_OK) == 0;
}

int rankmap_shared_folder(char* folder, size_t capacity) {
  const char* const temporary = rankmap_variable("TMPDIR");
  rankmap_system_path(folder, capacity, "/dev/shm");
  if (is_usable(folder)) return 1;
  if (temporary && strlen(temporary) < capacity) {
    strcpy(folder, temporary);
    if (is_usable(folder)) return 1;
  }
  rankmap_system_path(folder, capacity, "/tmp");
  return is_usable(folder);
}

/* glibc's fstat has the version 2.33; the kernel's fills the same struct on 64-bit machines. */
int rankmap_is_own_file(int file, struct rankmap_own_file* own) {
  struct stat status;
  if (syscall(SYS_fstat, file, &status) != 0) return 0;
  own->size = (long)status.st_size;
  own->changed = (long)status.st_mtim.tv_sec;
  return S_ISREG(status.st_mode) && status.st_uid == geteuid() && status.st_nlink == 1 &&
         (status.st_mode & 0777) == 0600;
}

void rankmap_remove_stale(const char* path) {
  struct rankmap_own_file status;
  struct timespec now;
  const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  clock_gettime(CLOCK_REALTIME, &now);
  if (rankmap_is_own_file(file, &status) && now.tv_sec - status.changed > STALE) unlink(path);
  close(file);
}
