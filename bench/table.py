#!/usr/bin/env python3
"""Makes the README's table from the JSON that exact_bench writes."""
import json
import sys
from collections import defaultdict

MICROSECONDS = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}


def written(microseconds):
    if microseconds >= 1e6:
        return f"{microseconds / 1e6:.1f} s"
    if microseconds >= 1e3:
        return f"{microseconds / 1e3:.2f} ms"
    return f"{microseconds:.0f} us"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: table.py RESULT.json")
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = json.load(file)["benchmarks"]
    times = {}
    busy = {}
    for row in rows:
        name = row["name"].split("/iterations:")[0].split("/min_time:")[0]
        times[name] = row["real_time"] * MICROSECONDS[row["time_unit"]]
        if "p99_us" in row:
            busy[name] = row
    series = defaultdict(dict)
    for name, time in times.items():
        if name.startswith("exact/"):
            _, model, machine, app = name.split("/")
            pattern, ranks = app.split(":")
            series[model, pattern, machine][int(ranks)] = time
    print("| model | pattern | machine | 5 ranks | slowest of 2-8 | slowest of all |")
    print("|---|---|---|---|---|---|")
    for (model, pattern, machine), of_ranks in series.items():
        small = max(time for ranks, time in of_ranks.items() if ranks <= 8)
        most = max(of_ranks, key=of_ranks.get)
        print(f"| {model} | {pattern} | {machine} | {written(of_ranks[5])} | {written(small)} "
              f"| {written(of_ranks[most])} ({most} ranks) |")
    fast, slow = times.get("reference/exact"), times.get("reference/exhaustive")
    if fast and slow:
        print(f"\n7-ring on 16 GPUs by aggbw: exact {written(fast)}, exhaustive {written(slow)}: "
              f"{slow / fast:,.0f} times faster.")
    if busy:
        print("\n| 1,000 random busy sets, rings of 2-8 | median | 99 % below | slowest |")
        print("|---|---|---|---|")
        for name, row in busy.items():
            _, model, machine, _ = name.split("/")
            cells = " | ".join(written(row[key]) for key in ("p50_us", "p99_us", "max_us"))
            print(f"| {model}, {machine} | {cells} |")


if __name__ == "__main__":
    main()
