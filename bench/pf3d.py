"""The published scripts of pF3D on 2,048 cores beside the one that the strategy box finds: pf3d.py RANKMAP

One table: the value of each by every objective of a torus. Exits with 1 where the found one is worse than a
published one.
"""
import json
import subprocess
import sys

APP, MACHINE = "pf3d:16x8x16,bytes=1KiB", "torus:8x8x8,slots=4"
OBJECTIVES = ["congestion", "hopbytes", "offnode"]
PUBLISHED = ["txyz", "xyzt", "tile", "tilt-x", "tilt-xy"]


def value(rankmap, objective, more):
    command = [rankmap, "map", APP, "-m", MACHINE, "--objective", objective, "--json"] + more
    result = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
    return result["value"], result["script"]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print("| script | " + " | ".join(OBJECTIVES) + " |")
    print("|---|" + "---|" * len(OBJECTIVES))
    least = {}
    for name in PUBLISHED:
        values = [value(sys.argv[1], objective, ["--script", "pf3d-2048-" + name])[0] for objective in OBJECTIVES]
        least = {o: min(v, least.get(o, v)) for o, v in zip(OBJECTIVES, values)}
        print(f"| {name} | " + " | ".join(f"{v:.6g}" for v in values) + " |", flush=True)
    found = {o: value(sys.argv[1], o, ["--strategy", "box"]) for o in OBJECTIVES}
    print("| found | " + " | ".join(f"{found[o][0]:.6g}" for o in OBJECTIVES) + " |")
    for strategy in ["linear", "multilevel"]:
        values = [value(sys.argv[1], objective, ["--strategy", strategy])[0] for objective in OBJECTIVES]
        print(f"| ({strategy}) | " + " | ".join(f"{v:.6g}" for v in values) + " |", flush=True)
    for objective in OBJECTIVES:
        print(f"\n{objective}:\n\n    " + found[objective][1].strip().replace("\n", "\n    "))
    sys.exit(any(found[o][0] > least[o] * (1 + 1e-12) for o in OBJECTIVES))


if __name__ == "__main__":
    main()
