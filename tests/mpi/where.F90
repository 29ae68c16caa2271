! Says where each rank is, by one of the three interfaces: -DUSE_MPIFH, -DUSE_F08, or else `use mpi`.
program where
#if defined(USE_F08)
  use mpi_f08
#elif !defined(USE_MPIFH)
  use mpi
#endif
  use, intrinsic :: iso_c_binding
  implicit none
#if defined(USE_MPIFH)
  include 'mpif.h'
#endif
  interface
    subroutine describe(line, rank) bind(c)
      import :: c_char, c_int
      character(kind=c_char), intent(out) :: line(*)
      integer(c_int), value :: rank
    end subroutine describe
  end interface
  integer, parameter :: length = 256
  character(kind=c_char) :: line(length)
  integer :: ierr, rank, total, i, last
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Allreduce(1, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call describe(line, int(rank, c_int))
  last = 1
  do while (line(last) /= c_null_char .and. last < length)
    last = last + 1
  end do
  write(*, '(256a)') (line(i), i = 1, last - 1)
  if (total < 1) write(*, '(a)') "MPI is broken"
  call MPI_Finalize(ierr)
end program where
