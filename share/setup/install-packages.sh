#!/usr/bin/env bash
# install-packages.sh [--optional]: installs the Debian packages of packages.txt that are missing, with
# --optional also those of optional-packages.txt, and says which. Without the right to install it says
# what to ask for and ends with 4.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

case "${1:-}" in
  '') lists=("$here/packages.txt") ;;
  --optional) lists=("$here/packages.txt" "$here/optional-packages.txt") ;;
  *)
    echo "packages: found $1, expected --optional or nothing" >&2
    exit 2
    ;;
esac

missing=()
while read -r package; do
  case "$package" in '' | '#'*) continue ;; esac
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done < <(cat "${lists[@]}")

if [ ${#missing[@]} -eq 0 ]; then
  echo "packages: all there"
  exit 0
fi

echo "packages: missing ${missing[*]}"
if [ "$(id -u)" -eq 0 ]; then
  run=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  run=(sudo -n)
else
  echo "packages: this account may not install them. Ask the administrator for:" >&2
  echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 4
fi
"${run[@]}" apt-get update -q
"${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
echo "packages: installed ${missing[*]}"
