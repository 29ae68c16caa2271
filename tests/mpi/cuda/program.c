/* program first|local|modulo|all: takes its GPU as real codes do (device 0, the local rank, the local
 * rank modulo the number of devices, every device), then prints "used BUS-ID" for each context and
 * "open NODE" for each device node its process has open. Ends with 1 where CUDA reports an error. */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/mpi/cuda/driver_api.h"

static void check(int code, const char* call, int ordinal) {
  if (code == CUDA_SUCCESS) return;
  fprintf(stderr, "%s: error %d for device ordinal %d\n", call, code, ordinal);
  exit(1);
}

static void use(int ordinal) {
  char bus_id[32];
  CUcontext context;
  int device;
  check(cuDeviceGet(&device, ordinal), "cuDeviceGet", ordinal);
  check(cuCtxCreate_v2(&context, 0, device), "cuCtxCreate", ordinal);
  check(cuDeviceGetPCIBusId(bus_id, sizeof bus_id, device), "cuDeviceGetPCIBusId", ordinal);
  printf("used %s\n", bus_id);
}

static void print_open_nodes(void) {
  DIR* const folder = opendir("/proc/self/fd");
  for (struct dirent* entry; folder && (entry = readdir(folder));) {
    char target[1024];
    const ssize_t length = readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1);
    if (length <= 0) continue;
    target[length] = '\0';
    const char* const node = strstr(target, "/dev/nvidia");
    if (node && strcmp(node, "/dev/nvidiactl") != 0) printf("open %s\n", node);
  }
}

int main(int argc, char** argv) {
  const char* const text = getenv("OMPI_COMM_WORLD_LOCAL_RANK");
  const int local_rank = text ? atoi(text) : 0;
  const char* const way = argc > 1 ? argv[1] : "";
  int count;
  check(cuInit(0), "cuInit", -1);
  check(cuDeviceGetCount(&count), "cuDeviceGetCount", -1);
  if (strcmp(way, "first") == 0)
    use(0);
  else if (strcmp(way, "local") == 0)
    use(local_rank);
  else if (strcmp(way, "modulo") == 0)
    use(local_rank % count);
  else if (strcmp(way, "all") == 0)
    for (int i = 0; i < count; ++i) use(i);
  else
    return 2;
  print_open_nodes();
  return 0;
}
