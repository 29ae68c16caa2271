/* Point-to-point calls and windows. */
#include <string.h>

#include "calls.h"

#define SENT(name, size)                                    \
  begin(#name);                                             \
  receive(size);                                            \
  MPI_##name(out, size, MPI_CHAR, next, 0, MPI_COMM_WORLD); \
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE)

#define STARTED(name, size)                                               \
  begin(#name);                                                           \
  receive(size);                                                          \
  MPI_##name(out, size, MPI_CHAR, next, 0, MPI_COMM_WORLD, &requests[1]); \
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)

#define PERSISTED(name, size, times)                                      \
  begin(#name);                                                           \
  MPI_##name(out, size, MPI_CHAR, next, 0, MPI_COMM_WORLD, &requests[1]); \
  for (int i = 0; i < times; ++i) {                                       \
    receive(size);                                                        \
    MPI_Start(&requests[1]);                                              \
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);                        \
  }                                                                       \
  MPI_Request_free(&requests[1])

static void started_together(void) {
  begin("Startall");
  MPI_Recv_init(in, 22, MPI_CHAR, before, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(out, 22, MPI_CHAR, next, 0, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 2; ++i) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

static void both_ways(void) {
  begin("Sendrecv");
  MPI_Sendrecv(out, 23, MPI_CHAR, next, 0, in, 23, MPI_CHAR, before, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  begin("Sendrecv_replace");
  MPI_Sendrecv_replace(out, 24, MPI_CHAR, next, 0, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void types_and_nobody(void) {
  MPI_Datatype every_other;
  MPI_Type_vector(5, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  begin("strided");
  MPI_Sendrecv(out, 1, every_other, next, 0, in, 1, every_other, before, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Type_free(&every_other);
  begin("nobody");
  MPI_Send(out, 25, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Sendrecv(out, 25, MPI_CHAR, rank, 0, in, 25, MPI_CHAR, rank, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  begin("empty");
  MPI_Sendrecv(NULL, 0, MPI_CHAR, next, 0, NULL, 0, MPI_CHAR, before, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

#if HAS_MPI_4
static void newer(void) {
  begin("Isendrecv");
  MPI_Isendrecv(out, 26, MPI_CHAR, next, 0, in, 26, MPI_CHAR, before, 0, MPI_COMM_WORLD, requests);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
  begin("Isendrecv_replace");
  MPI_Isendrecv_replace(out, 27, MPI_CHAR, next, 0, before, 0, MPI_COMM_WORLD, requests);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
  begin("Send_c");
  receive(28);
  MPI_Send_c(out, 28, MPI_CHAR, next, 0, MPI_COMM_WORLD);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
}

static void partitioned(void) {
  begin("Psend_init");
  MPI_Precv_init(in, 3, 29, MPI_CHAR, before, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Psend_init(out, 3, 29, MPI_CHAR, next, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  for (int i = 0; i < 2; ++i) {
    MPI_Startall(2, requests);
    for (int part = 0; part < 3; ++part) MPI_Pready(part, requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}
#endif

void messages(void) {
  static char buffer[ROOM + MPI_BSEND_OVERHEAD];
  void* given = buffer;
  int size = 0;
  MPI_Buffer_attach(buffer, sizeof buffer);
  SENT(Send, 10);
  SENT(Bsend, 11);
  SENT(Ssend, 12);
  SENT(Rsend, 13);
  STARTED(Isend, 14);
  STARTED(Ibsend, 15);
  STARTED(Issend, 16);
  STARTED(Irsend, 17);
  PERSISTED(Send_init, 18, 3);
  PERSISTED(Bsend_init, 19, 1);
  PERSISTED(Ssend_init, 20, 1);
  PERSISTED(Rsend_init, 21, 2);
  started_together();
  both_ways();
  types_and_nobody();
#if HAS_MPI_4
  newer();
  partitioned();
#endif
  MPI_Buffer_detach(&given, &size);
}

#define IN_WINDOW(name, ...)       \
  begin(#name);                    \
  MPI_##name(__VA_ARGS__, window); \
  MPI_Win_flush(next, window)

#define REQUESTED(name, ...)                 \
  begin(#name);                              \
  MPI_##name(__VA_ARGS__, window, requests); \
  MPI_Wait(requests, MPI_STATUS_IGNORE);     \
  MPI_Win_flush(next, window)

void windows(void) {
  static int one = 1, old, compared;
  char* memory;
  MPI_Win window;
  MPI_Win_allocate(ROOM, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  memset(memory, 0, ROOM);
  MPI_Win_lock_all(0, window);
  IN_WINDOW(Put, out, 30, MPI_BYTE, next, 0, 30, MPI_BYTE);
  IN_WINDOW(Get, in, 31, MPI_BYTE, next, 0, 31, MPI_BYTE);
  IN_WINDOW(Accumulate, out, 32, MPI_BYTE, next, 0, 32, MPI_BYTE, MPI_REPLACE);
  IN_WINDOW(Get_accumulate, out, 33, MPI_BYTE, in, 33, MPI_BYTE, next, 0, 33, MPI_BYTE,
            MPI_REPLACE);
  REQUESTED(Rput, out, 34, MPI_BYTE, next, 0, 34, MPI_BYTE);
  REQUESTED(Rget, in, 35, MPI_BYTE, next, 0, 35, MPI_BYTE);
  REQUESTED(Raccumulate, out, 36, MPI_BYTE, next, 0, 36, MPI_BYTE, MPI_REPLACE);
  REQUESTED(Rget_accumulate, out, 37, MPI_BYTE, in, 37, MPI_BYTE, next, 0, 37, MPI_BYTE,
            MPI_REPLACE);
  IN_WINDOW(Fetch_and_op, &one, &old, MPI_INT, next, 0, MPI_SUM);
  IN_WINDOW(Compare_and_swap, &one, &compared, &old, MPI_INT, next, 0);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}
