#!/bin/bash
# Stands in for ssh: made_up_host.sh [OPTIONS] HOST COMMAND... runs the command here under another host
# name. A file FOLDER/HOST (FOLDER: $RANKMAP_TEST_HOSTS) is read before: what that host is made of;
# $prepare is run there first.
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
[ ! -r "$RANKMAP_TEST_HOSTS/$host" ] || . "$RANKMAP_TEST_HOSTS/$host"
exec unshare --uts ${prepare:+--mount} /bin/sh -c "hostname $host; ${prepare:-:}; $*"
