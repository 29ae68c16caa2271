#!/bin/bash
# Stands in for ssh: other_host.sh [OPTIONS] HOST COMMAND... runs the command here under another host
# name, in a UTS namespace of its own.
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
exec unshare --uts /bin/sh -c "hostname $host; $*"
