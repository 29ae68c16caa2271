/* The arguments of MPI's calls as work to count. */
#ifndef RANKMAP_MPI_SHIM_RECORD_COUNTED_H
#define RANKMAP_MPI_SHIM_RECORD_COUNTED_H

#include "mpi_shim/record/recorder.h"

static inline struct rankmap_work rankmap_message(MPI_Comm comm, int peer, MPI_Count count,
                                                  MPI_Datatype type) {
  const uint64_t bytes = peer < 0 ? 0 : rankmap_bytes((uint64_t)count, type);
  return (struct rankmap_work){
      .shape = RANKMAP_MESSAGE, .comm = comm, .peer = peer, .bytes = bytes, .messages = 1};
}

/* One message a partition: each has `count`. */
static inline struct rankmap_work rankmap_partitioned(MPI_Comm comm, int peer, int partitions,
                                                      MPI_Count count, MPI_Datatype type) {
  struct rankmap_work work = rankmap_message(comm, peer, count, type);
  work.bytes *= (uint64_t)partitions;
  work.messages = (uint64_t)partitions;
  return work;
}

/* A root below 0 is that of an intercommunicator. */
static inline struct rankmap_work rankmap_collective(enum rankmap_operation operation,
                                                     MPI_Comm comm, int root, uint64_t bytes) {
  return (struct rankmap_work){.shape = RANKMAP_COLLECTIVE,
                               .operation = operation,
                               .comm = comm,
                               .peer = root,
                               .bytes = bytes};
}

/* What a member gives in an allgather or alltoall: the send side, or where it is in place, the
 * other. */
static inline uint64_t rankmap_given(const void* sent, MPI_Count sends, MPI_Datatype send_type,
                                     MPI_Count receives, MPI_Datatype receive_type) {
  return sent == MPI_IN_PLACE ? rankmap_bytes((uint64_t)receives, receive_type)
                              : rankmap_bytes((uint64_t)sends, send_type);
}

/* In place: only the root of a gather, who sends nothing. */
static inline uint64_t rankmap_gathered(const void* sent, MPI_Count sends, MPI_Datatype type,
                                        int root) {
  return sent == MPI_IN_PLACE || root == MPI_ROOT || root == MPI_PROC_NULL
             ? 0
             : rankmap_bytes((uint64_t)sends, type);
}

/* What each gets in a scatter: only the root's send side, and only the others' receive side
 * counts. */
static inline uint64_t rankmap_scattered(MPI_Comm comm, int root, MPI_Count sends,
                                         MPI_Datatype send_type, MPI_Count receives,
                                         MPI_Datatype receive_type) {
  if (root == MPI_PROC_NULL) return 0;
  return root == MPI_ROOT || rankmap_is_rank(comm, root)
             ? rankmap_bytes((uint64_t)sends, send_type)
             : rankmap_bytes((uint64_t)receives, receive_type);
}

static inline struct rankmap_work rankmap_varying(enum rankmap_operation operation, MPI_Comm comm,
                                                  int root, const void* counts, int wide,
                                                  MPI_Datatype type) {
  return (struct rankmap_work){.shape = RANKMAP_VARYING,
                               .operation = operation,
                               .comm = comm,
                               .peer = root,
                               .counts = counts,
                               .wide = wide,
                               .type_bytes = rankmap_bytes(1, type)};
}

static inline struct rankmap_work rankmap_varying_types(MPI_Comm comm, const void* counts, int wide,
                                                        const MPI_Datatype* types) {
  return (struct rankmap_work){.shape = RANKMAP_VARYING,
                               .operation = RANKMAP_ALLTOALLV,
                               .comm = comm,
                               .counts = counts,
                               .wide = wide,
                               .types = types};
}

/* Every member's part has the same bytes. */
static inline struct rankmap_work rankmap_equal_parts(enum rankmap_operation operation,
                                                      MPI_Comm comm, uint64_t bytes) {
  return (struct rankmap_work){
      .shape = RANKMAP_VARYING, .operation = operation, .comm = comm, .bytes = bytes};
}

/* A scatter with counts: they are the root's alone. */
static inline struct rankmap_work rankmap_scatterv(MPI_Comm comm, int root, const void* counts,
                                                   int wide, MPI_Datatype type) {
  if (root == MPI_ROOT || root == MPI_PROC_NULL || !rankmap_is_rank(comm, root))
    return rankmap_collective(RANKMAP_SCATTERV, comm, root, 0);
  return rankmap_varying(RANKMAP_SCATTERV, comm, root, counts, wide, type);
}

/* To each neighbour the same, by counts, or by counts and types. */
static inline struct rankmap_work rankmap_to_neighbours(MPI_Comm comm, MPI_Count count,
                                                        MPI_Datatype type) {
  return (struct rankmap_work){
      .shape = RANKMAP_NEIGHBOURS, .comm = comm, .bytes = rankmap_bytes((uint64_t)count, type)};
}

static inline struct rankmap_work rankmap_varying_neighbours(struct rankmap_work work) {
  work.shape = RANKMAP_NEIGHBOURS;
  return work;
}

#endif
