! Calls of the three Fortran interfaces on 4 ranks, each in a phase of its own: -DUSE_MPIFH, -DUSE_F08,
! or else `use mpi`. fortran.expected says what each sends.
#if defined(USE_F08)
#define REQUEST_TYPE type(MPI_Request)
#define STATUS_TYPE type(MPI_Status)
#define STATUS_LENGTH
#else
#define REQUEST_TYPE integer
#define STATUS_TYPE integer
#define STATUS_LENGTH (MPI_STATUS_SIZE)
#endif
program calls
#if defined(USE_F08)
  use mpi_f08
#elif !defined(USE_MPIFH)
  use mpi
#endif
  implicit none
#if defined(USE_MPIFH)
  include 'mpif.h'
#endif
  integer, parameter :: ranks = 4
  integer :: data(100), into(100), ierr, rank, after, before, level
  integer :: counts(ranks), offsets(ranks), same(ranks)
  REQUEST_TYPE :: request
  STATUS_TYPE :: state STATUS_LENGTH
  data = 0
  level = 1
  counts = (/ 1, 2, 3, 4 /)
  offsets = (/ 0, 10, 20, 30 /)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  after = mod(rank + 1, ranks)
  before = mod(rank + ranks - 1, ranks)
  same = counts(rank + 1)

  call next_phase('Send')
  call receive()
  call MPI_Send(data, 1, MPI_INTEGER, after, 0, MPI_COMM_WORLD, ierr)
  call MPI_Wait(request, state, ierr)
  call next_phase('Isend')
  call MPI_Isend(data, 2, MPI_INTEGER, after, 0, MPI_COMM_WORLD, request, ierr)
  call MPI_Recv(into, 2, MPI_INTEGER, before, 0, MPI_COMM_WORLD, state, ierr)
  call MPI_Wait(request, state, ierr)
  call next_phase('Send_init')
  call MPI_Send_init(data, 3, MPI_INTEGER, after, 0, MPI_COMM_WORLD, request, ierr)
  call MPI_Start(request, ierr)
  call MPI_Recv(into, 3, MPI_INTEGER, before, 0, MPI_COMM_WORLD, state, ierr)
  call MPI_Wait(request, state, ierr)
  call MPI_Request_free(request, ierr)
  call next_phase('Sendrecv')
  call MPI_Sendrecv(data, 4, MPI_INTEGER, after, 0, into, 4, MPI_INTEGER, before, 0, &
                    MPI_COMM_WORLD, state, ierr)
  call next_phase('Barrier')
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call next_phase('Bcast')
  call MPI_Bcast(data, 5, MPI_INTEGER, 1, MPI_COMM_WORLD, ierr)
  call next_phase('Reduce')
  call MPI_Reduce(data, into, 6, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  call next_phase('Allreduce')
  call MPI_Allreduce(MPI_IN_PLACE, data, 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call next_phase('Alltoall')
  call MPI_Alltoall(data, 7, MPI_INTEGER, into, 7, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call next_phase('Alltoallv')
  call MPI_Alltoallv(data, counts, offsets, MPI_INTEGER, into, same, offsets, MPI_INTEGER, &
                     MPI_COMM_WORLD, ierr)
  call next_phase('Allgather')
  call MPI_Allgather(data, 9, MPI_INTEGER, into, 9, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call next_phase('Allgather_in_place')
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, into, 10, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call next_phase('Allgatherv')
  call MPI_Allgatherv(data, counts(rank + 1), MPI_INTEGER, into, counts, offsets, MPI_INTEGER, &
                      MPI_COMM_WORLD, ierr)
  call next_phase('Gather')
  call MPI_Gather(data, 11, MPI_INTEGER, into, 11, MPI_INTEGER, 3, MPI_COMM_WORLD, ierr)
  call next_phase('Scatter')
  call MPI_Scatter(data, 12, MPI_INTEGER, into, 12, MPI_INTEGER, 1, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)

contains

  subroutine receive()
    call MPI_Irecv(into, 1, MPI_INTEGER, before, 0, MPI_COMM_WORLD, request, ierr)
  end subroutine receive

  subroutine next_phase(name)
    character(*), intent(in) :: name
    level = level + 1
    call MPI_Pcontrol(level)
    if (rank == 0) write (*, '(a,i0,a,a)') 'phase ', level - 1, ' ', name
  end subroutine next_phase
end program calls
