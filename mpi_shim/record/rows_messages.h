/* The rows of messages and windows, once for counts of int and once for MPI_Count: COUNT and
 * OFFSET are the types, N(name) the name. Read by calls.c. clang-format would tear the rows
 * apart. clang-format off */

#define SEND_ROW(name)                                                                           \
  CALL(name, (const void* data, COUNT count, MPI_Datatype type, int to, int tag, MPI_Comm comm), \
       (data, count, type, to, tag, comm), COUNTED(rankmap_message(comm, to, count, type)))
SEND_ROW(N(Send))
SEND_ROW(N(Bsend))
SEND_ROW(N(Ssend)) SEND_ROW(N(Rsend))
#undef SEND_ROW

#define SEND_ROW(name, then)                                                              \
  CALL(name,                                                                              \
       (const void* data, COUNT count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
        MPI_Request* request),                                                            \
       (data, count, type, to, tag, comm, request), then(rankmap_message(comm, to, count, type)))
    SEND_ROW(N(Isend), COUNTED) SEND_ROW(N(Ibsend), COUNTED) SEND_ROW(N(Issend), COUNTED)
        SEND_ROW(N(Irsend), COUNTED) SEND_ROW(N(Send_init), KEPT) SEND_ROW(N(Bsend_init), KEPT)
            SEND_ROW(N(Ssend_init), KEPT) SEND_ROW(N(Rsend_init), KEPT)
#undef SEND_ROW

                CALL(N(Sendrecv),
                     (const void* data, COUNT count, MPI_Datatype type, int to, int tag, void* in,
                      COUNT in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                      MPI_Status* status),
                     (data, count, type, to, tag, in, in_count, in_type, from, in_tag, comm,
                      status),
                     COUNTED(rankmap_message(comm, to, count, type)))
                    CALL(N(Sendrecv_replace),
                         (void* data, COUNT count, MPI_Datatype type, int to, int tag, int from,
                          int in_tag, MPI_Comm comm, MPI_Status* status),
                         (data, count, type, to, tag, from, in_tag, comm, status),
                         COUNTED(rankmap_message(comm, to, count, type)))

#if HAS_MPI_4
                        CALL(N(Isendrecv),
                             (const void* data, COUNT count, MPI_Datatype type, int to, int tag,
                              void* in, COUNT in_count, MPI_Datatype in_type, int from, int in_tag,
                              MPI_Comm comm, MPI_Request* request),
                             (data, count, type, to, tag, in, in_count, in_type, from, in_tag, comm,
                              request),
                             COUNTED(rankmap_message(comm, to, count, type)))
                            CALL(N(Isendrecv_replace),
                                 (void* data, COUNT count, MPI_Datatype type, int to, int tag,
                                  int from, int in_tag, MPI_Comm comm, MPI_Request* request),
                                 (data, count, type, to, tag, from, in_tag, comm, request),
                                 COUNTED(rankmap_message(comm, to, count, type)))
#endif

#define WINDOW_ROW(name, requested, DATA, put, fetched)                                  \
  CALL(name,                                                                             \
       (DATA data, COUNT count, MPI_Datatype type, int target, MPI_Aint at, COUNT there, \
        MPI_Datatype there_type, MPI_Win win),                                           \
       (data, count, type, target, at, there, there_type, win),                          \
       IN_WINDOW(count, type, put, fetched))                                             \
  CALL(requested,                                                                        \
       (DATA data, COUNT count, MPI_Datatype type, int target, MPI_Aint at, COUNT there, \
        MPI_Datatype there_type, MPI_Win win, MPI_Request* request),                     \
       (data, count, type, target, at, there, there_type, win, request),                 \
       IN_WINDOW(count, type, put, fetched))
                                WINDOW_ROW(N(Put), N(Rput), const void*, 1,
                                           0) WINDOW_ROW(N(Get), N(Rget), void*, 0, 1)
#undef WINDOW_ROW

                                    CALL(N(Accumulate),
                                         (const void* data, COUNT count, MPI_Datatype type,
                                          int target, MPI_Aint at, COUNT there,
                                          MPI_Datatype there_type, MPI_Op operation, MPI_Win win),
                                         (data, count, type, target, at, there, there_type,
                                          operation, win),
                                         IN_WINDOW(count, type, 1, 0))
                                        CALL(N(Raccumulate),
                                             (const void* data, COUNT count, MPI_Datatype type,
                                              int target, MPI_Aint at, COUNT there,
                                              MPI_Datatype there_type, MPI_Op operation,
                                              MPI_Win win, MPI_Request* request),
                                             (data, count, type, target, at, there, there_type,
                                              operation, win, request),
                                             IN_WINDOW(count, type, 1, 0))

    /* The origin's side means nothing under MPI_NO_OP; what is fetched is as large as the
     * result. */
    CALL(N(Get_accumulate),
         (const void* data, COUNT count, MPI_Datatype type, void* result, COUNT result_count,
          MPI_Datatype result_type, int target, MPI_Aint at, COUNT there, MPI_Datatype there_type,
          MPI_Op operation, MPI_Win win),
         (data, count, type, result, result_count, result_type, target, at, there, there_type,
          operation, win),
         IN_WINDOW(result_count, result_type, data != NULL && count != 0, 1))
        CALL(N(Rget_accumulate),
             (const void* data, COUNT count, MPI_Datatype type, void* result, COUNT result_count,
              MPI_Datatype result_type, int target, MPI_Aint at, COUNT there,
              MPI_Datatype there_type, MPI_Op operation, MPI_Win win, MPI_Request* request),
             (data, count, type, result, result_count, result_type, target, at, there, there_type,
              operation, win, request),
             IN_WINDOW(result_count, result_type, data != NULL && count != 0, 1))
