! The smallest Fortran program of MPI: says which GPU each rank sees.
program where
  use mpi
  implicit none
  integer :: ierr, rank
  character(len=32) :: gpu
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call get_environment_variable("CUDA_VISIBLE_DEVICES", gpu)
  write(*, '(a,i0,a,a)') "rank ", rank, " gpu ", trim(gpu)
  call MPI_Finalize(ierr)
end program where
