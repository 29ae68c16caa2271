#!/bin/bash
# Runs fuzz_core in a folder of its own. fuzz.sh FUZZ_CORE RUNS
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/sys/devices/system/cpu/cpu0/topology "$work"/proc/driver/nvidia/gpus/0000:07:00.0
"$1" "$work" "$2"
code=$?
[ $code -eq 0 ] || cat "$work/stderr"
exit $code
