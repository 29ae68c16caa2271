#define _GNU_SOURCE
#include "mpi_shim/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "mpi_shim/quiet.h"
#include "mpi_shim/text.h"

enum {
  LARGEST = 4 << 20, /* bytes: 16 thousand ranks; beyond, a node's share of opens is small */
  PATIENCE = 1500,   /* milliseconds */
  STALE = 30,        /* seconds: what is older was left by a job that died */
  PRIVATE_MODE = 0600
};

int rankmap_read_sum(const char* text, uint64_t* sum) {
  if (strlen(text) != 16 || strspn(text, "0123456789abcdefABCDEF") != 16) return 0;
  *sum = strtoull(text, NULL, 16);
  return 1;
}

static int is_usable(const char* folder) {
  struct stat status;
  return stat(folder, &status) == 0 && S_ISDIR(status.st_mode) && access(folder, W_OK | X_OK) == 0;
}

/* The same on every rank of a node, as far as their variables are. */
static int choose_folder(char* folder, size_t capacity) {
  const char* const temporary = rankmap_variable("TMPDIR");
  rankmap_system_path(folder, capacity, "/dev/shm");
  if (is_usable(folder)) return 1;
  snprintf(folder, capacity, "%s", temporary ? temporary : "");
  if (temporary && strlen(temporary) < capacity && is_usable(folder)) return 1;
  rankmap_system_path(folder, capacity, "/tmp");
  return is_usable(folder);
}

/* Two jobs may start with the same map: where the launcher names them their copies differ. */
static int name_files(const struct rankmap_placement* placement, struct rankmap_stage* stage) {
  char folder[RANKMAP_STAGE_PATH - 200], job[sizeof placement->identity.job];
  if (!choose_folder(folder, sizeof folder)) return 0;
  snprintf(job, sizeof job, "%s", placement->identity.job);
  for (char* at = job; *at; ++at)
    if (*at == '/') *at = '_';
  snprintf(stage->copy, sizeof stage->copy, "%s/rankmap.%lu.%s.%s", folder,
           (unsigned long)geteuid(), placement->settings.sum, job);
  snprintf(stage->done, sizeof stage->done, "%.500s.done", stage->copy);
  return 1;
}

/* The folder is open to everybody: only a plain file of our own that nobody else can write will do. */
static int is_ours(int file, off_t* size) {
  struct stat status;
  if (fstat(file, &status) != 0) return 0;
  *size = status.st_size;
  return S_ISREG(status.st_mode) && status.st_uid == geteuid() && status.st_nlink == 1 &&
         (status.st_mode & 0777) == PRIVATE_MODE;
}

enum found { ABSENT, UNFIT, COPY };

/* An empty copy says that there will be none. */
static enum found open_copy(struct rankmap_stage* stage) {
  off_t size = 0;
  const int file = open(stage->copy, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return errno == ENOENT ? ABSENT : UNFIT;
  if (!is_ours(file, &size) || size == 0) {
    close(file);
    return UNFIT;
  }
  stage->file = file;
  return COPY;
}

static long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void wait_for_copy(struct rankmap_stage* stage) {
  const struct timespec step = {0, 5000000};
  const long end = milliseconds() + PATIENCE;
  while (open_copy(stage) == ABSENT && milliseconds() < end) nanosleep(&step, NULL);
}

static void remove_stale(const char* path) {
  struct stat status;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (lstat(path, &status) == 0 && now.tv_sec - status.st_mtime > STALE) unlink(path);
}

static int read_all(int file, char* bytes, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t got = read(file, bytes + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    done += (size_t)got;
  }
  return 1;
}

/* Is this the whole map that `run` saw? */
static int is_wanted(const char* text, size_t size, uint64_t sum) {
  struct rankmap_wire_header header;
  if (rankmap_wire_parse_header(text, size, &header, NULL) != RANKMAP_WIRE_OK) return 0;
  const size_t body = size - RANKMAP_WIRE_HEADER_SIZE;
  return header.body == sum && body == (size_t)header.ranks * header.width &&
         rankmap_wire_checksum(text + RANKMAP_WIRE_HEADER_SIZE, body) == sum;
}

/* Writes beside and renames. A part that another first rank is writing is left to it. */
static void publish(const struct rankmap_stage* stage, const char* text, size_t size) {
  char part[RANKMAP_STAGE_PATH];
  snprintf(part, sizeof part, "%.500s.part", stage->copy);
  remove_stale(part);
  const int file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, PRIVATE_MODE);
  if (file < 0) return;
  const int written = rankmap_write_quietly(file, text, size) || ftruncate(file, 0) == 0;
  close(file);
  if (!written || rename(part, stage->copy) != 0) unlink(part);
}

static void copy_map(const char* map, const struct rankmap_stage* stage) {
  struct stat status = {0};
  char* text = MAP_FAILED;
  size_t size = 0;
  const int file = open(map, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
      status.st_size <= LARGEST)
    text = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                -1, 0);
  if (text != MAP_FAILED && read_all(file, text, (size_t)status.st_size) &&
      is_wanted(text, (size_t)status.st_size, stage->sum))
    size = (size_t)status.st_size;
  publish(stage, size ? text : "", size);
  if (text != MAP_FAILED) munmap(text, (size_t)status.st_size);
  if (file >= 0) close(file);
}

void rankmap_stage_begin(const struct rankmap_placement* placement, struct rankmap_stage* stage) {
  const struct rankmap_settings* const settings = &placement->settings;
  const struct rankmap_identity* const identity = &placement->identity;
  memset(stage, 0, sizeof *stage);
  stage->file = -1;
  if (!settings->stage || !settings->sum || !rankmap_read_sum(settings->sum, &stage->sum)) return;
  if (identity->local_rank < 0 || identity->local_size < 2 || !name_files(placement, stage)) return;
  stage->local_size = identity->local_size;
  if (identity->local_rank > 0) {
    wait_for_copy(stage);
    return;
  }
  remove_stale(stage->copy);
  remove_stale(stage->done);
  if (open_copy(stage) != ABSENT) return;
  copy_map(settings->map, stage);
  open_copy(stage);
}

void rankmap_stage_end(struct rankmap_stage* stage) {
  off_t readers = 0;
  if (stage->file >= 0) close(stage->file);
  if (stage->local_size == 0) return;
  const int file =
      open(stage->done, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
           PRIVATE_MODE);
  if (file < 0) return;
  const int counted =
      is_ours(file, &readers) && rankmap_write_quietly(file, ".", 1) && is_ours(file, &readers);
  close(file);
  if (!counted || readers < stage->local_size) return;
  unlink(stage->copy);
  unlink(stage->done);
}
