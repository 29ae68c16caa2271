# The grid of cart.F90 out of Python, which loads its MPI out of the global scope.
import socket

from mpi4py import MPI

grid = MPI.COMM_WORLD.Create_cart([4, 2], periods=[False, False], reorder=True)
hosts = grid.gather(socket.gethostname(), root=0)
if grid.rank == 0 and len(set(hosts[:4])) == len(set(hosts[4:])) == 1 and hosts[0] != hosts[4]:
    print("hosts are halves of the grid")
