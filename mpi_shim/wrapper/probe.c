#define _GNU_SOURCE
#include "mpi_shim/wrapper/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mpi_shim/identity.h"
#include "mpi_shim/quiet.h"
#include "mpi_shim/text.h"

enum { PATH = 4096, OWN_FAILURE = 125, NOT_FOUND = 127 };

static const char name_characters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";

static int fail(const char* path) {
  fprintf(stderr, "rankmap-exec: cannot write %s: %s\n", path, strerror(errno));
  return OWN_FAILURE;
}

/* The host's name as a part of a file's name. */
static void file_name_of(const char* host, char* name, size_t capacity) {
  snprintf(name, capacity, "%s", host);
  for (char* at = name; *at; ++at)
    if (!strchr(name_characters, *at)) *at = '_';
}

static int write_rank(const struct rankmap_probe* probe, const struct rankmap_identity* identity,
                      const char* host) {
  char path[PATH], text[1024] = "rankmap-probe 1\n";
  rankmap_append(text, sizeof text,
                 "rank %ld\nlocal_rank %ld\nlocal_size %ld\nsize %ld\nhost %s\nlauncher %s\n",
                 identity->rank, identity->local_rank, identity->local_size, identity->size, host,
                 identity->launcher);
  snprintf(path, sizeof path, "%s/probe.%ld", probe->folder, identity->rank);
  return rankmap_write_file(path, text, strlen(text)) ? 0 : fail(path);
}

static int create(const char* path, int flags) {
  return open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | flags, 0644);
}

_Noreturn static void become_detection(const char* rankmap, int out, int err) {
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  execlp(rankmap, rankmap, "machine", "local", "--json", (char*)NULL);
  dprintf(STDERR_FILENO, "cannot run %s: %s\n", rankmap, strerror(errno));
  _exit(NOT_FOUND);
}

/* 1: the program ended well. */
static int detect(const char* rankmap, int out, int err) {
  int status = -1;
  const pid_t child = fork();
  if (child == 0) become_detection(rankmap, out, err);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The first process of a host makes the lock and describes the machine. */
static int write_node(const struct rankmap_probe* probe, const char* host) {
  char name[256], lock[PATH], part[PATH], json[PATH], messages[PATH];
  file_name_of(host, name, sizeof name);
  snprintf(lock, sizeof lock, "%s/node.%s.lock", probe->folder, name);
  snprintf(json, sizeof json, "%s/node.%s.json", probe->folder, name);
  snprintf(part, sizeof part, "%s/node.%s.json.part", probe->folder, name);
  snprintf(messages, sizeof messages, "%s/node.%s.err", probe->folder, name);
  const int locked = create(lock, O_EXCL);
  if (locked < 0) return errno == EEXIST ? 0 : fail(lock);
  close(locked);
  const int out = create(part, O_TRUNC), err = create(messages, O_TRUNC);
  if (out < 0 || err < 0) return fail(out < 0 ? part : messages);
  const int good = detect(probe->rankmap, out, err);
  close(out);
  close(err);
  if (!good) return unlink(part), 0;
  return rename(part, json) == 0 ? 0 : fail(json);
}

int rankmap_probe(const struct rankmap_probe* probe) {
  char host[256] = "";
  const struct rankmap_identity identity = rankmap_identify();
  gethostname(host, sizeof host - 1);
  if (identity.rank < 0) {
    fprintf(stderr, "rankmap-exec: --probe found no launcher's rank variable%s%s\n",
            identity.unreadable ? ": not a number is " : "",
            identity.unreadable ? identity.unreadable : "");
    return OWN_FAILURE;
  }
  const int failed = write_rank(probe, &identity, host);
  return failed || !probe->rankmap ? failed : write_node(probe, host);
}
