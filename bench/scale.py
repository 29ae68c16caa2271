"""From the app's text to the map file, on one core: scale.py RANKMAP [MACHINE-KIND...]

Maps a 3-D halo of 10^4, 10^5 and 10^6 ranks onto a tree, a torus and nodes of 8 slots, and prints the CPU
time (user and system), memory, and how each step of ten grew against n log n (below 1: less steep).
"""
import math
import os
import subprocess
import sys
import tempfile

CUBES = {10**4: (20, 20, 25), 10**5: (50, 50, 40), 10**6: (100, 100, 100)}
# The torus has another shape than the app: the ranks' own order is not its optimum.
MACHINES = {
    "tree": lambda ranks: f"tree:10:10:{ranks // 100},distance=1:10:100",
    "torus": lambda ranks: "torus:" + {10**4: "10x25x40", 10**5: "25x40x100", 10**6: "50x100x200"}[ranks],
    "nodes": lambda ranks: f"fattree:{ranks // 80}:10,slots=8",
}


def run(rankmap, app, machine, map_file):
    command = ["taskset", "-c", str(min(os.sched_getaffinity(0))), rankmap, "map", app, "-m", machine,
               "--quality", "fast", "-o", map_file]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as job:
        text = job.stdout.read()
        _, status, usage = os.wait4(job.pid, 0)
        job.returncode = os.waitstatus_to_exitcode(status)
    if job.returncode != 0:
        sys.exit(f"scale.py: {' '.join(command)} ended with {job.returncode}")
    lines = {line.split(" ", 1)[0]: line.split(None, 1)[1] for line in text.splitlines() if "  " in line}
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, lines["strategy"].split(",")[0], lines["default"]


def main():
    if len(sys.argv) < 2 or any(kind not in MACHINES for kind in sys.argv[2:]):
        sys.exit(__doc__)
    print("| machine | ranks | strategy | default | CPU s | MiB | growth to n log n |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for kind in sys.argv[2:] or MACHINES:
            before = None
            for ranks, extents in CUBES.items():
                app = "stencil:" + "x".join(map(str, extents))
                machine = MACHINES[kind](ranks)
                seconds, mib, strategy, default = run(sys.argv[1], app, machine, os.path.join(folder, "map"))
                work = ranks * math.log(ranks)
                growth = f"{seconds / before[0] / (work / before[1]):.2f}" if before else ""
                before = seconds, work
                print(f"| {machine} | {ranks} | {strategy} | {default} | {seconds:.2f} | {mib:.0f} | {growth} |", flush=True)


if __name__ == "__main__":
    main()
