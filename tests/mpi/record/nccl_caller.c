/* Stands in for NCCL: loads $NCCL_PROFILER_PLUGIN and calls it as NCCL does, with descriptors that
 * are laid out byte by byte, independent of how the plugin declares them.
 *   nccl_caller VERSION WHAT   VERSION: 4, 5 or 6; WHAT: a row of `parts` below
 * Ranks come from MPI where built with -DUSE_MPI, which then sends messages too; else from RANK and
 * WORLD_SIZE. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef USE_MPI
#include <mpi.h>
#endif

enum { GROUP = 1 << 0, COLLECTIVE = 1 << 1, MESSAGE = 1 << 2, COPIED = 1 << 12 };

typedef int (*init_4)(void**, int*, const char*, uint64_t, int, int, int, void (*)(void));
typedef int (*init_5)(void**, uint64_t, int*, const char*, int, int, int, void (*)(void));
typedef int (*start_function)(void* context, void** handle, void* descriptor);
typedef int (*stop_function)(void* handle);
typedef int (*change_function)(void* handle, int state, void* arguments);

struct plugin {
  const char* name;
  void (*init)(void);
  start_function start;
  stop_function stop;
  change_function change;
  stop_function finalize;
};

static int version, rank, ranks, mask;
static void* library;
static const struct plugin* plugin;

static void fail(const char* what) {
  fprintf(stderr, "nccl_caller: %s\n", what);
  exit(1);
}

static void load(void) {
  char symbol[32];
  library = dlopen(getenv("NCCL_PROFILER_PLUGIN"), RTLD_NOW | RTLD_LOCAL);
  if (!library) fail(dlerror());
  snprintf(symbol, sizeof symbol, "ncclProfiler_v%d", version);
  plugin = dlsym(library, symbol);
  if (!plugin || strcmp(plugin->name, "rankmap") != 0) fail("no such version");
}

static void* join(uint64_t id, const char* name, int size, int own) {
  void* context = NULL;
  const int code = version == 4
                       ? ((init_4)plugin->init)(&context, &mask, name, id, 1, size, own, NULL)
                       : ((init_5)plugin->init)(&context, id, &mask, name, 1, size, own, NULL);
  if (code != 0) fail("init failed");
  return context;
}

static void put(char* descriptor, size_t offset, const void* value, size_t size) {
  memcpy(descriptor + offset, value, size);
}

/* Type, and the rank behind the parent; what is not written is not to be looked at. */
static void begin_descriptor(char* descriptor, uint64_t type, int own) {
  const uint8_t short_type = (uint8_t)type;
  memset(descriptor, version == 4 ? 0xee : 0, 128);
  if (version == 4)
    put(descriptor, 0, &short_type, 1);
  else
    put(descriptor, 0, &type, 8);
  put(descriptor, 16, &own, 4);
}

/* As NCCL 2.27 does: what stands below an event without a handle is not told. */
static void tell(void* context, char* descriptor) {
  void *group = NULL, *handle = NULL;
  char group_descriptor[128];
  begin_descriptor(group_descriptor, GROUP, 0);
  if (plugin->start(context, &group, group_descriptor) != 0) fail("a group failed");
  if (!group) return;
  put(descriptor, 8, &group, 8);
  if (plugin->start(context, &handle, descriptor) != 0) fail("an event failed");
  if (handle && (plugin->change(handle, 1, NULL) != 0 || plugin->stop(handle) != 0))
    fail("the end of an event failed");
  if (plugin->stop(group) != 0) fail("the end of a group failed");
}

static void collective_of(uint64_t kind, void* context, const char* name, const char* type,
                          size_t count, int root) {
  char descriptor[128];
  if (!(__atomic_load_n(&mask, __ATOMIC_RELAXED) & (int)kind)) return;
  begin_descriptor(descriptor, kind, rank);
  put(descriptor, 32, &name, 8);
  put(descriptor, 56, &count, 8);
  put(descriptor, 64, &root, 4);
  put(descriptor, 72, &type, 8);
  tell(context, descriptor);
}

static void collective(void* context, const char* name, const char* type, size_t count, int root) {
  collective_of(COLLECTIVE, context, name, type, count, root);
}

static void message(void* context, const char* name, const char* type, size_t count, int peer) {
  char descriptor[128];
  if (!(__atomic_load_n(&mask, __ATOMIC_RELAXED) & MESSAGE)) return;
  begin_descriptor(descriptor, MESSAGE, rank);
  put(descriptor, 24, &name, 8);
  put(descriptor, 40, &type, 8);
  put(descriptor, 48, &count, 8);
  put(descriptor, 56, &peer, 4);
  tell(context, descriptor);
}

static void wait_seconds(double seconds) {
  struct timespec pause = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&pause, NULL);
}

/* A world, pairs, and a ring of messages. */
static void all(void) {
  void* const world = join(0xabc0, "the world", ranks, rank);
  void* const pair = join(0xd0 + (uint64_t)(rank / 2), NULL, 2, rank % 2);
  for (int i = 0; i < 2; ++i) collective(world, "AllReduce", "ncclFloat32", 1000, 0);
  collective(world, "Broadcast", "ncclInt64", 10, 2);
  collective(world, "Reduce", "ncclBfloat16", 50, 1);
  collective(pair, "AllGather", "ncclFloat16", 7, 0);
  collective(pair, "ReduceScatter", "Unknown", 5, 0);
  message(world, "Send", "ncclFloat64", 3, (rank + 1) % ranks);
  message(world, "Recv", "ncclFloat64", 3, (rank + ranks - 1) % ranks);
  message(world, "Send", "ncclFloat64", 9, rank);
  collective(world, "AllReduce", "ncclOfTomorrow", 1, 0);
  collective_of(COPIED, world, "AlltoAll", "ncclInt8", 11, 0);
  plugin->finalize(pair);
  plugin->finalize(world);
}

static void* send_often(void* context) {
  for (int i = 0; i < 5000; ++i) {
    message(context, "Send", "ncclInt8", 2, (rank + 1) % ranks);
    collective(context, "AllReduce", "ncclInt8", 10, 0);
  }
  return NULL;
}

/* Two threads on one communicator and two on another, while communicators come and go. */
static void threads(void) {
  pthread_t of[4];
  void* const comms[2] = {join(1, "one", ranks, rank), join(2, "two", ranks, rank)};
  for (int i = 0; i < 4; ++i) pthread_create(&of[i], NULL, send_often, comms[i % 2]);
  for (int i = 0; i < 50; ++i) plugin->finalize(join(3, "guest", ranks, rank));
  for (int i = 0; i < 4; ++i) pthread_join(of[i], NULL);
}

/* Never ends well: only what was on disk by then is left. */
static void killed(void) {
  void* const world = join(7, "world", ranks, rank);
  collective(world, "AllGather", "ncclInt8", 100, 0);
  wait_seconds(2.5);
  collective(world, "AllGather", "ncclInt8", 100, 0);
  collective(world, "Broadcast", "ncclInt8", 1000, 0);
  kill(getpid(), SIGKILL);
}

/* NCCL unloads its plugin with its last communicator, and loads it again. A child of fork is
 * nobody. */
static void again(void) {
  void* world = join(7, "first", ranks, rank);
  collective(world, "AllGather", "ncclInt8", 100, 0);
  plugin->finalize(world);
  dlclose(library);
  load();
  world = join(8, "second", ranks, rank);
  collective(world, "AllGather", "ncclInt8", 20, 0);
  const pid_t child = fork();
  if (child == 0) {
    join(9, "child", 1, 0);
    exit(mask == 0 ? 0 : 1);
  }
}

/* What needs no other rank: two of them in one process. */
static void both(void) {
  void* const ends[2] = {join(5, NULL, 2, 0), join(5, NULL, 2, 1)};
  for (int i = 0; i < 2; ++i) collective(ends[i], "AllGather", "ncclFloat", 25, 0);
}

static void slow(void) {
  void* const world = join(7, "world", ranks, rank);
  for (int i = 0; i < 3; ++i) {
    collective(world, "AllGather", "ncclInt8", 100, 0);
    wait_seconds(0.25);
  }
}

struct part {
  const char* name;
  void (*play)(void);
};
static const struct part parts[] = {{"all", all},     {"threads", threads}, {"killed", killed},
                                    {"again", again}, {"both", both},       {"slow", slow}};

static void play(const char* what) {
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    if (strcmp(parts[i].name, what) == 0) {
      load();
      parts[i].play();
      printf("mask %d\n", mask);
      return;
    }
  fail("no such part");
}

#ifndef USE_MPI
static int number(const char* name) {
  const char* const text = getenv(name);
  if (!text) fail("RANK and WORLD_SIZE are not set");
  return atoi(text);
}
#endif

int main(int argc, char** argv) {
  if (argc != 3) fail("expected VERSION WHAT");
  version = atoi(argv[1]);
#ifdef USE_MPI
  char out[100] = {0}, in[100];
  double one = 1, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Sendrecv(out, 100, MPI_CHAR, (rank + 1) % ranks, 0, in, 100, MPI_CHAR,
               (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Pcontrol(2);
  play(argv[2]);
  MPI_Finalize();
#else
  rank = number("RANK");
  ranks = number("WORLD_SIZE");
  play(argv[2]);
#endif
  return 0;
}
