/* CPU affinity: the plan, within what this machine has and the cgroup allows, for all threads of this
 * process. */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mpi_shim/folder.h"
#include "mpi_shim/placement.h"
#include "mpi_shim/text.h"

static struct rankmap_cpus both(const struct rankmap_cpus* a, const struct rankmap_cpus* b) {
  struct rankmap_cpus result;
  for (size_t i = 0; i < RANKMAP_CPU_WORDS; ++i) result.words[i] = a->words[i] & b->words[i];
  return result;
}

static struct rankmap_cpus without(const struct rankmap_cpus* a, const struct rankmap_cpus* b) {
  struct rankmap_cpus result;
  for (size_t i = 0; i < RANKMAP_CPU_WORDS; ++i) result.words[i] = a->words[i] & ~b->words[i];
  return result;
}

int rankmap_cpus_empty(const struct rankmap_cpus* cpus) {
  for (size_t i = 0; i < RANKMAP_CPU_WORDS; ++i)
    if (cpus->words[i]) return 0;
  return 1;
}

static int within(const struct rankmap_cpus* a, const struct rankmap_cpus* b) {
  const struct rankmap_cpus outside = without(a, b);
  return rankmap_cpus_empty(&outside);
}

/* The kernel's masks are arrays of unsigned long, as ours of 64 bits on the machines we run on. */
_Static_assert(sizeof(unsigned long) == sizeof(uint64_t), "64-bit Linux");

int rankmap_current_cpus(struct rankmap_cpus* cpus) {
  cpu_set_t* const set = (cpu_set_t*)(void*)cpus->words;
  memset(cpus, 0, sizeof *cpus);
  return sched_getaffinity(0, sizeof cpus->words, set) == 0;
}

static int bind_to(const struct rankmap_cpus* cpus) {
  const cpu_set_t* const set = (const cpu_set_t*)(const void*)cpus->words;
  return sched_setaffinity(0, sizeof cpus->words, set) == 0;
}

struct threads {
  const struct rankmap_cpus* target;
  pid_t self;
  int moved;
};

/* One that sits inside the plan already stays as its program made it. */
static void move_thread(const char* name, void* context) {
  struct threads* const threads = context;
  struct rankmap_cpus current = {{0}};
  const pid_t thread = (pid_t)rankmap_number(name);
  if (thread <= 0 || thread == threads->self) return;
  if (sched_getaffinity(thread, sizeof current.words, (cpu_set_t*)(void*)current.words) != 0)
    return;
  if (within(&current, threads->target)) return;
  if (sched_setaffinity(thread, sizeof current.words,
                        (const cpu_set_t*)(const void*)threads->target->words) == 0)
    ++threads->moved;
}

/* Threads that libraries started before us. New ones inherit the mask of the one that starts them; a
 * second look finds those that an unmoved one started meanwhile. */
static int move_threads(const struct rankmap_cpus* target) {
  struct threads threads = {target, (pid_t)syscall(SYS_gettid), 0};
  for (int look = 0, before = -1; look < 2 && threads.moved != before; ++look) {
    before = threads.moved;
    rankmap_each_name("/proc/self/task", move_thread, &threads);
  }
  return threads.moved;
}

/* What the cgroup allows: the kernel cuts a request for everything down to it. */
static struct rankmap_cpus allowed_cpus(const struct rankmap_cpus* current) {
  struct rankmap_cpus all, allowed;
  memset(&all, 0xff, sizeof all);
  if (!bind_to(&all) || !rankmap_current_cpus(&allowed)) return *current;
  bind_to(current);
  return allowed;
}

/* The CPUs that the machine has; where it does not say, those that are allowed. */
static struct rankmap_cpus present_cpus(const struct rankmap_cpus* allowed) {
  struct rankmap_cpus present;
  char path[RANKMAP_TEXT], list[4096];
  rankmap_system_path(path, sizeof path, "/sys/devices/system/cpu/present");
  if (rankmap_read_start(path, list, sizeof list) <= 0) return *allowed;
  list[strcspn(list, " \n")] = '\0';
  if (!rankmap_wire_parse_list(list, present.words, RANKMAP_CPU_WORDS)) return *allowed;
  return present;
}

static void doubt_cpus(struct rankmap_placement* placement, const char* before,
                       const struct rankmap_cpus* cpus, const char* after) {
  char list[256];
  if (!rankmap_wire_print_list(cpus->words, RANKMAP_CPU_WORDS, list, sizeof list)) *list = '\0';
  rankmap_append(placement->doubt, sizeof placement->doubt, "%s%s%s", before, list, after);
}

/* Where the plan is not inside the present binding. 0: nothing to bind to, or in doubt. */
static int choose_cpus(struct rankmap_placement* placement, const struct rankmap_cpus* current,
                       struct rankmap_cpus* target) {
  const char* const policy = placement->settings.cpus;
  const struct rankmap_cpus allowed = allowed_cpus(current);
  const struct rankmap_cpus present = present_cpus(&allowed);
  const struct rankmap_cpus existing = both(&placement->planned, &present);
  *target = both(&existing, &allowed);
  placement->absent = without(&placement->planned, &present);
  placement->barred = without(&existing, &allowed);
  if (rankmap_cpus_empty(&existing)) return 0; /* none of them is here */
  if (rankmap_cpus_empty(target)) {
    doubt_cpus(placement, "the planned CPUs ", &existing, " are not allowed to this job. ");
    return 0;
  }
  const int foreign = !within(&allowed, current);
  const int force = policy && strcmp(policy, "force") == 0;
  if (!foreign || force || within(target, current)) return 1;
  doubt_cpus(
      placement, "the launcher bound this rank to CPUs ", current,
      ", which the plan is not inside; its binding is kept (RANKMAP_CPUS=force overrides). ");
  return 0;
}

void rankmap_place_cpus(struct rankmap_placement* placement) {
  struct rankmap_cpus current, target;
  const char* const policy = placement->settings.cpus;
  if (!*placement->row.cpus || (policy && strcmp(policy, "keep") == 0)) return;
  if (!rankmap_wire_parse_list(placement->row.cpus, placement->planned.words, RANKMAP_CPU_WORDS) ||
      !rankmap_current_cpus(&current)) {
    rankmap_append(placement->note, sizeof placement->note, "CPUs above 8191 are left alone. ");
    return;
  }
  target = placement->planned;
  if (!within(&target, &current) && !choose_cpus(placement, &current, &target)) return;
  if (!bind_to(&target)) {
    doubt_cpus(placement, "the system refused to bind to CPUs ", &target, ". ");
    return;
  }
  placement->given = target;
  if (!placement->settings.alone) placement->threads_moved = move_threads(&target);
}
