! A 4x2 grid with reorder out of Fortran: the ranks of each host must be two whole rows, which dealt
! by turns they are not.
program cart
#if defined(USE_F08)
  use mpi_f08
#elif !defined(USE_MPIFH)
  use mpi
#endif
  implicit none
#ifdef USE_MPIFH
  include 'mpif.h'
#endif
#ifdef USE_F08
  type(MPI_Comm) :: grid
#else
  integer :: grid
#endif
  integer :: ierror, rank, host, length, at(2), hosts(0:7), extents(2) = [4, 2]
  logical :: wraps(2) = [.false., .false.]
  character(len=MPI_MAX_PROCESSOR_NAME) :: name
  call MPI_Init(ierror)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, extents, wraps, .true., grid, ierror)
  call MPI_Comm_rank(grid, rank, ierror)
  call MPI_Cart_coords(grid, rank, 2, at, ierror)
  call MPI_Get_processor_name(name, length, ierror)
  host = ichar(name(length:length))
  call MPI_Gather(host, 1, MPI_INTEGER, hosts, 1, MPI_INTEGER, 0, grid, ierror)
  if (rank == 0) then
    if (all(hosts(1:3) == hosts(0)) .and. all(hosts(5:7) == hosts(4)) .and. hosts(0) /= hosts(4)) &
      print '(a)', 'hosts are halves of the grid'
  end if
  call MPI_Finalize(ierror)
end program
