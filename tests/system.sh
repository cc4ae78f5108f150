#!/bin/sh
# Installs the Debian packages of system.txt that are missing.
set -eu
missing=""
while read -r package shows; do
    case $package in "" | "#"*) continue ;; esac
    command -v "$shows" >/dev/null || [ -e "$shows" ] || missing="$missing $package"
done < "$(dirname "$0")/system.txt"
[ -n "$missing" ] || { echo "No system package is missing."; exit 0; }
command -v apt-get >/dev/null || { echo "Not a Debian system; install by hand:$missing" >&2; exit 1; }
as_root=""
[ "$(id -u)" = 0 ] || as_root=sudo
echo "Installing$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
