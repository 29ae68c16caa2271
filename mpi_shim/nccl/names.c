#include "mpi_shim/nccl/names.h"

#include <stddef.h>
#include <string.h>

struct operation_row {
  const char* name;
  int has_root;
};

static const struct operation_row operations[] = {
    [RANKMAP_NCCL_SEND] = {"Send", 0},
    [RANKMAP_NCCL_RECV] = {"Recv", 0},
    {"AllReduce", 0},
    {"AllGather", 0},
    {"ReduceScatter", 0},
    {"Broadcast", 1},
    {"Reduce", 1},
    {"AlltoAll", 0},
    {"Gather", 1},
    {"Scatter", 1},
};
enum { KNOWN = sizeof operations / sizeof *operations };
_Static_assert((int)KNOWN <= (int)RANKMAP_NCCL_OPERATIONS, "more operations than keys hold");

struct type_row {
  const char* name;
  int bytes;
};

static const struct type_row types[] = {
    {"ncclFloat32", 4},
    {"ncclBfloat16", 2},
    {"ncclFloat16", 2},
    {"ncclInt8", 1},
    /* NCCL has no name for ncclUint8, alone of all its types. */
    {"Unknown", 1},
    {"ncclUint8", 1},
    {"ncclInt32", 4},
    {"ncclUint32", 4},
    {"ncclInt64", 8},
    {"ncclUint64", 8},
    {"ncclFloat64", 8},
    {"ncclFloat8e4m3", 1},
    {"ncclFloat8e5m2", 1},
    {"ncclChar", 1},
    {"ncclInt", 4},
    {"ncclHalf", 2},
    {"ncclFloat", 4},
    {"ncclDouble", 8},
};

int rankmap_nccl_operation(const char* name) {
  for (int i = 0; name && i < KNOWN; ++i)
    if (strcmp(operations[i].name, name) == 0) return i;
  return -1;
}

const char* rankmap_nccl_operation_name(int operation) {
  return operations[operation].name;
}

int rankmap_nccl_has_root(int operation) {
  return operations[operation].has_root;
}

int rankmap_nccl_type_bytes(const char* type) {
  for (size_t i = 0; type && i < sizeof types / sizeof *types; ++i)
    if (strcmp(types[i].name, type) == 0) return types[i].bytes;
  return 0;
}
