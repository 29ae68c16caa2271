/* The few calls of CUDA's driver interface that the test programs make, under their own names. */
#ifndef RANKMAP_TESTS_MPI_CUDA_DRIVER_API_H
#define RANKMAP_TESTS_MPI_CUDA_DRIVER_API_H

typedef struct {
  char bytes[16];
} CUuuid;
typedef struct CUctx_st* CUcontext;

enum {
  CUDA_SUCCESS = 0,
  CUDA_NOT_INITIALIZED = 3,
  CUDA_NO_DEVICE = 100,
  CUDA_INVALID_DEVICE = 101
};

int cuInit(unsigned flags);
int cuDeviceGetCount(int* count);
int cuDeviceGet(int* device, int ordinal);
int cuDeviceGetPCIBusId(char* text, int capacity, int device);
int cuDeviceGetUuid(CUuuid* uuid, int device);
int cuCtxCreate_v2(CUcontext* context, unsigned flags, int device);

#endif
