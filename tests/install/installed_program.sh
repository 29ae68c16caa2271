#!/usr/bin/env bash
# The installed tree works by itself: usage installed_program.sh BUILD_DIR SCRATCH_DIR
set -euo pipefail
build=$1 prefix=$2
rm -rf "$prefix"
cmake --install "$build" --prefix "$prefix" >/dev/null
cd /
for file in bin/rankmap bin/rankmap-exec share/rankmap/machines/dgx1-v100.json \
  share/rankmap/schemas/machine.schema.json share/man/man1/rankmap-map.1; do
  [ -e "$prefix/$file" ] || { echo "missing: $file"; exit 1; }
done
for library in librankmap_shim.so librankmap_record_nccl.so; do
  find "$prefix" -name "$library" | grep -q . || { echo "missing: $library"; exit 1; }
done

# A machine that only the installed tree has shows that its own share is read.
cp "$prefix/share/rankmap/machines/dgx1-v100.json" "$prefix/share/rankmap/machines/only-installed.json"
"$prefix/bin/rankmap" map ring:4 -m only-installed -o "$prefix/job.rankmap" >/dev/null

# The wrapper beside it places a rank.
seen=$(PMI_RANK=2 PMI_SIZE=4 MPI_LOCALRANKID=2 "$prefix/bin/rankmap" exec --map "$prefix/job.rankmap" -- \
  printenv CUDA_VISIBLE_DEVICES)
planned=$("$prefix/bin/rankmap" show "$prefix/job.rankmap" | awk '$1 == 2 {print $3}')
[ "$seen" = "$planned" ] || { echo "rank 2 sees GPU $seen, planned $planned"; exit 1; }

# Every page of the manual is troff that man accepts, and the completion is a shell script.
for page in "$prefix"/share/man/man1/*.1; do
  head -1 "$page" | grep -q '^\.TH rankmap' || { echo "$page is no man page"; exit 1; }
done
bash -n "$prefix/share/bash-completion/completions/rankmap"
