# Says where each rank is, by what Python copied at its start (os.environ), not by what C sees now.
import os
import sys

before = dict(os.environ)
from mpi4py import MPI  # noqa: E402  (initialises MPI)

rank = MPI.COMM_WORLD.Get_rank()
total = MPI.COMM_WORLD.allreduce(1)
cpus = " ".join(str(cpu) for cpu in sorted(os.sched_getaffinity(0)))
gpus = before.get("CUDA_VISIBLE_DEVICES", "-")
placed = "yes" if "RANKMAP_PLACED" in before else "no"
# In one write even where PYTHONUNBUFFERED is set: print would write twice, and ranks would mix.
sys.stdout.write(f"rank {rank} gpu {gpus} placed {placed} cpus {cpus}\n")
if total != MPI.COMM_WORLD.Get_size():
    print("MPI is broken", flush=True)
