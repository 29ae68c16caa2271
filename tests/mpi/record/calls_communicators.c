/* The same calls on communicators that are not the world, and on handles that are used again. */
#include "calls.h"

static void to_next_in(MPI_Comm comm, int size) {
  int own, all;
  MPI_Comm_rank(comm, &own);
  MPI_Comm_size(comm, &all);
  MPI_Sendrecv(out, size, MPI_CHAR, (own + 1) % all, 0, in, size, MPI_CHAR, (own + all - 1) % all,
               0, comm, MPI_STATUS_IGNORE);
}

/* Its order is that of the world turned round. */
static MPI_Comm turned(void) {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
  return comm;
}

static MPI_Comm halves(void) {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
  return comm;
}

static void used_again(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  begin("dup");
  to_next_in(comm, 60);
  MPI_Comm_free(&comm);
  comm = turned();
  begin("turned");
  to_next_in(comm, 61);
  begin("turned_root");
  MPI_Bcast(out, 62, MPI_CHAR, 3, comm);
  MPI_Comm_disconnect(&comm);
}

static void sub_communicators(void) {
  MPI_Comm comm = halves(), between;
  begin("halves");
  MPI_Alltoall(out, 63, MPI_CHAR, in, 63, MPI_CHAR, comm);
  MPI_Intercomm_create(comm, 0, MPI_COMM_WORLD, (rank + 1) % 2, 7, &between);
  begin("intercommunicator");
  MPI_Sendrecv(out, 64, MPI_CHAR, rank / 2, 0, in, 64, MPI_CHAR, rank / 2, 0, between,
               MPI_STATUS_IGNORE);
  MPI_Comm_free(&between);
  MPI_Comm_free(&comm);
  begin("self");
  MPI_Allreduce(out, in, 65, MPI_BYTE, MPI_BOR, MPI_COMM_SELF);
}

static void window_of_some(void) {
  MPI_Comm comm = turned();
  MPI_Win window;
  char* memory;
  MPI_Win_allocate(ROOM, 1, MPI_INFO_NULL, comm, &memory, &window);
  MPI_Win_fence(0, window);
  begin("turned_window");
  MPI_Put(out, 66, MPI_BYTE, (RANKS - 1 - rank + 1) % RANKS, 0, 66, MPI_BYTE, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Comm_free(&comm);
}

/* Every rank sends to the next and hears the one before; in the other graph both ways. */
static void graphs(void) {
  int index[RANKS] = {2, 4, 6, 8}, edges[2 * RANKS] = {1, 3, 0, 2, 1, 3, 0, 2};
  MPI_Comm comm;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
  begin("dist_graph");
  MPI_Neighbor_alltoall(out, 67, MPI_CHAR, in, 67, MPI_CHAR, comm);
  MPI_Comm_free(&comm);
  MPI_Graph_create(MPI_COMM_WORLD, RANKS, index, edges, 0, &comm);
  begin("graph");
  MPI_Neighbor_alltoall(out, 68, MPI_CHAR, in, 68, MPI_CHAR, comm);
  MPI_Comm_free(&comm);
}

/* The communicator lives on in the request, and its handle in another communicator. */
static void freed_before_start(void) {
  MPI_Comm comm = turned(), other;
  MPI_Send_init(out, 69, MPI_CHAR, (RANKS - 1 - rank + 1) % RANKS, 0, comm, &requests[0]);
  MPI_Recv_init(in, 69, MPI_CHAR, (RANKS - 1 - rank + 3) % RANKS, 0, comm, &requests[1]);
  MPI_Comm_free(&comm);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  begin("freed_before_start");
  MPI_Startall(2, requests);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Comm_free(&other);
}

void communicators(void) {
  freed_before_start();
  used_again();
  sub_communicators();
  window_of_some();
  graphs();
}
