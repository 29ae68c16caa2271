/* The rows of collectives, as rows_messages.h. COLLECTIVE makes three calls of each: blocking,
 * with a request, and persistent. clang-format off */

COLLECTIVE(Allreduce, Iallreduce, Allreduce_init,
           (const void* data, void* result, COUNT count, MPI_Datatype type, MPI_Op op,
            MPI_Comm comm),
           (data, result, count, type, op, comm),
           rankmap_collective(RANKMAP_ALLREDUCE, comm, 0, rankmap_bytes((uint64_t)count, type)))
COLLECTIVE(Reduce, Ireduce, Reduce_init,
           (const void* data, void* result, COUNT count, MPI_Datatype type, MPI_Op op, int root,
            MPI_Comm comm),
           (data, result, count, type, op, root, comm),
           rankmap_collective(RANKMAP_REDUCE, comm, root, rankmap_bytes((uint64_t)count, type)))
COLLECTIVE(Bcast, Ibcast, Bcast_init,
           (void* data, COUNT count, MPI_Datatype type, int root, MPI_Comm comm),
           (data, count, type, root, comm),
           rankmap_collective(RANKMAP_BCAST, comm, root, rankmap_bytes((uint64_t)count, type)))
COLLECTIVE(Scan, Iscan, Scan_init,
           (const void* data, void* result, COUNT count, MPI_Datatype type, MPI_Op op,
            MPI_Comm comm),
           (data, result, count, type, op, comm),
           rankmap_collective(RANKMAP_SCAN, comm, 0, rankmap_bytes((uint64_t)count, type)))
COLLECTIVE(Exscan, Iexscan, Exscan_init,
           (const void* data, void* result, COUNT count, MPI_Datatype type, MPI_Op op,
            MPI_Comm comm),
           (data, result, count, type, op, comm),
           rankmap_collective(RANKMAP_SCAN, comm, 0, rankmap_bytes((uint64_t)count, type)))
COLLECTIVE(Alltoall, Ialltoall, Alltoall_init,
           (const void* data, COUNT count, MPI_Datatype type, void* in, COUNT in_count,
            MPI_Datatype in_type, MPI_Comm comm),
           (data, count, type, in, in_count, in_type, comm),
           rankmap_collective(RANKMAP_ALLTOALL, comm, 0,
                              rankmap_given(data, count, type, in_count, in_type)))
COLLECTIVE(Allgather, Iallgather, Allgather_init,
           (const void* data, COUNT count, MPI_Datatype type, void* in, COUNT in_count,
            MPI_Datatype in_type, MPI_Comm comm),
           (data, count, type, in, in_count, in_type, comm),
           rankmap_collective(RANKMAP_ALLGATHER, comm, 0,
                              rankmap_given(data, count, type, in_count, in_type)))
COLLECTIVE(Gather, Igather, Gather_init,
           (const void* data, COUNT count, MPI_Datatype type, void* in, COUNT in_count,
            MPI_Datatype in_type, int root, MPI_Comm comm),
           (data, count, type, in, in_count, in_type, root, comm),
           rankmap_collective(RANKMAP_GATHER, comm, root,
                              rankmap_gathered(data, count, type, root)))
COLLECTIVE(Scatter, Iscatter, Scatter_init,
           (const void* data, COUNT count, MPI_Datatype type, void* in, COUNT in_count,
            MPI_Datatype in_type, int root, MPI_Comm comm),
           (data, count, type, in, in_count, in_type, root, comm),
           rankmap_collective(RANKMAP_SCATTER, comm, root,
                              rankmap_scattered(comm, root, count, type, in_count, in_type)))
COLLECTIVE(Alltoallv, Ialltoallv, Alltoallv_init,
           (const void* data, const COUNT counts[], const OFFSET offsets[], MPI_Datatype type,
            void* in, const COUNT in_counts[], const OFFSET in_offsets[], MPI_Datatype in_type,
            MPI_Comm comm),
           (data, counts, offsets, type, in, in_counts, in_offsets, in_type, comm),
           rankmap_varying(RANKMAP_ALLTOALLV, comm, 0, data == MPI_IN_PLACE ? in_counts : counts,
                           WIDE, data == MPI_IN_PLACE ? in_type : type))
COLLECTIVE(Alltoallw, Ialltoallw, Alltoallw_init,
           (const void* data, const COUNT counts[], const WOFFSET offsets[],
            const type_behind types[], void* in, const COUNT in_counts[],
            const WOFFSET in_offsets[], const type_behind in_types[], MPI_Comm comm),
           (data, counts, offsets, types, in, in_counts, in_offsets, in_types, comm),
           rankmap_varying_types(comm, data == MPI_IN_PLACE ? in_counts : counts, WIDE,
                                 data == MPI_IN_PLACE ? in_types : types))
COLLECTIVE(Allgatherv, Iallgatherv, Allgatherv_init,
           (const void* data, COUNT count, MPI_Datatype type, void* in, const COUNT in_counts[],
            const OFFSET in_offsets[], MPI_Datatype in_type, MPI_Comm comm),
           (data, count, type, in, in_counts, in_offsets, in_type, comm),
           rankmap_varying(RANKMAP_ALLGATHERV, comm, 0, in_counts, WIDE, in_type))
COLLECTIVE(Gatherv, Igatherv, Gatherv_init,
           (const void* data, COUNT count, MPI_Datatype type, void* in, const COUNT in_counts[],
            const OFFSET in_offsets[], MPI_Datatype in_type, int root, MPI_Comm comm),
           (data, count, type, in, in_counts, in_offsets, in_type, root, comm),
           rankmap_collective(RANKMAP_GATHER, comm, root,
                              rankmap_gathered(data, count, type, root)))
COLLECTIVE(Scatterv, Iscatterv, Scatterv_init,
           (const void* data, const COUNT counts[], const OFFSET offsets[], MPI_Datatype type,
            void* in, COUNT in_count, MPI_Datatype in_type, int root, MPI_Comm comm),
           (data, counts, offsets, type, in, in_count, in_type, root, comm),
           rankmap_scatterv(comm, root, counts, WIDE, type))
COLLECTIVE(Reduce_scatter, Ireduce_scatter, Reduce_scatter_init,
           (const void* data, void* result, const COUNT counts[], MPI_Datatype type, MPI_Op op,
            MPI_Comm comm),
           (data, result, counts, type, op, comm),
           rankmap_varying(RANKMAP_REDUCE_SCATTER, comm, 0, counts, WIDE, type))
COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, Reduce_scatter_block_init,
           (const void* data, void* result, COUNT count, MPI_Datatype type, MPI_Op op,
            MPI_Comm comm),
           (data, result, count, type, op, comm),
           rankmap_equal_parts(RANKMAP_REDUCE_SCATTER, comm, rankmap_bytes((uint64_t)count, type)))

COLLECTIVE(Neighbor_alltoall, Ineighbor_alltoall, Neighbor_alltoall_init,
           (const void* data, COUNT count, MPI_Datatype type, void* in, COUNT in_count,
            MPI_Datatype in_type, MPI_Comm comm),
           (data, count, type, in, in_count, in_type, comm),
           rankmap_to_neighbours(comm, count, type))
COLLECTIVE(Neighbor_allgather, Ineighbor_allgather, Neighbor_allgather_init,
           (const void* data, COUNT count, MPI_Datatype type, void* in, COUNT in_count,
            MPI_Datatype in_type, MPI_Comm comm),
           (data, count, type, in, in_count, in_type, comm),
           rankmap_to_neighbours(comm, count, type))
COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv, Neighbor_allgatherv_init,
           (const void* data, COUNT count, MPI_Datatype type, void* in, const COUNT in_counts[],
            const OFFSET in_offsets[], MPI_Datatype in_type, MPI_Comm comm),
           (data, count, type, in, in_counts, in_offsets, in_type, comm),
           rankmap_to_neighbours(comm, count, type))
COLLECTIVE(
    Neighbor_alltoallv, Ineighbor_alltoallv, Neighbor_alltoallv_init,
    (const void* data, const COUNT counts[], const OFFSET offsets[], MPI_Datatype type, void* in,
     const COUNT in_counts[], const OFFSET in_offsets[], MPI_Datatype in_type, MPI_Comm comm),
    (data, counts, offsets, type, in, in_counts, in_offsets, in_type, comm),
    rankmap_varying_neighbours(rankmap_varying(RANKMAP_ALLTOALLV, comm, 0, counts, WIDE, type)))
COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw, Neighbor_alltoallw_init,
           (const void* data, const COUNT counts[], const MPI_Aint offsets[],
            const type_behind types[], void* in, const COUNT in_counts[],
            const MPI_Aint in_offsets[], const type_behind in_types[], MPI_Comm comm),
           (data, counts, offsets, types, in, in_counts, in_offsets, in_types, comm),
           rankmap_varying_neighbours(rankmap_varying_types(comm, counts, WIDE, types)))
