/* The operations and data types of NCCL by the names that its events give them. */
#ifndef RANKMAP_MPI_SHIM_NCCL_NAMES_H
#define RANKMAP_MPI_SHIM_NCCL_NAMES_H

enum {
  RANKMAP_NCCL_SEND,
  RANKMAP_NCCL_RECV,
  RANKMAP_NCCL_OPERATIONS = 16 /* at most, the ones above among them */
};

int rankmap_nccl_operation(const char* name); /* -1: none that is known; NULL is none */
const char* rankmap_nccl_operation_name(int operation);
int rankmap_nccl_has_root(int operation);

int rankmap_nccl_type_bytes(const char* type); /* of one element; 0: none that is known */

#endif
