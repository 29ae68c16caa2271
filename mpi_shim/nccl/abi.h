/* The profiler plugins of NCCL, as far as the recorder needs them: versions 4 (NCCL 2.27), 5 and 6
 * of the interface, in our own words, so that no NCCL is needed to build this. Versions 1 to 3 do
 * not tell how many ranks a communicator has. */
#ifndef RANKMAP_MPI_SHIM_NCCL_ABI_H
#define RANKMAP_MPI_SHIM_NCCL_ABI_H

#include <stddef.h>
#include <stdint.h>

/* Types of events, which are also the bits of the mask that init answers with. */
enum {
  RANKMAP_NCCL_COLLECTIVE = 1 << 1,
  RANKMAP_NCCL_MESSAGE = 1 << 2,
  RANKMAP_NCCL_COPIED_COLLECTIVE = 1 << 12 /* by copy engines; from version 6 on */
};

struct rankmap_nccl_collective {
  uint64_t sequence;
  const char* operation; /* "AllReduce" */
  const void* sent;
  void* received;
  size_t count; /* of elements, as the program gave it */
  int root;
  const char* type; /* "ncclFloat32" */
};

struct rankmap_nccl_message {
  const char* operation; /* "Send", "Recv" */
  void* data;
  const char* type;
  size_t count;
  int peer;
};

/* What follows these members differs between the versions and is not looked at. */
union rankmap_nccl_details {
  struct rankmap_nccl_collective collective; /* of both kinds of collectives */
  struct rankmap_nccl_message message;
};

struct rankmap_nccl_event_v4 {
  uint8_t type;
  void* parent;
  int rank;
  union rankmap_nccl_details details;
};

struct rankmap_nccl_event_v5 {
  uint64_t type;
  void* parent;
  int rank;
  union rankmap_nccl_details details;
};

_Static_assert(offsetof(struct rankmap_nccl_event_v4, details) == 24 &&
                   offsetof(struct rankmap_nccl_event_v5, details) == 24,
               "the details of an event begin at byte 24");

typedef void (*rankmap_nccl_log)(void); /* never called */

/* What the symbols ncclProfiler_vN are. All functions return 0 where all is well. A handle that is
 * NULL makes NCCL leave out the events below it. */
struct rankmap_nccl_plugin_v4 {
  const char* name;
  int (*init)(void** context, int* mask, const char* name, uint64_t id, int nodes, int ranks,
              int rank, rankmap_nccl_log log);
  int (*start)(void* context, void** handle, const struct rankmap_nccl_event_v4* event);
  int (*stop)(void* handle);
  int (*change)(void* handle, int state, const void* arguments);
  int (*finalize)(void* context);
};

struct rankmap_nccl_plugin_v5 { /* and version 6 */
  const char* name;
  int (*init)(void** context, uint64_t id, int* mask, const char* name, int nodes, int ranks,
              int rank, rankmap_nccl_log log);
  int (*start)(void* context, void** handle, const struct rankmap_nccl_event_v5* event);
  int (*stop)(void* handle);
  int (*change)(void* handle, int state, const void* arguments);
  int (*finalize)(void* context);
};

#endif
