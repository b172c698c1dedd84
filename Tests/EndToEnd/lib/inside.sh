#!/bin/bash
# The inner half of `world`: process 1 of the new namespaces. Builds the world, runs the command, and leaves with
# its status, which ends every process in here.
set -eu
lib=$(cd "$(dirname "$0")" && pwd)
# The mounts below may cover the repository and the output folder, wherever they are: hold them open.
exec 8<"$1" 9<"$2"
shift 2

. "$lib/mounts.sh"
exec 8<&- 9<&-
export WORLD_REPO=/mnt/repo WORLD_OUT=/mnt/out WORLD_READER=/run/reader.sock
lib=$WORLD_REPO/Tests/EndToEnd/lib
cd "$WORLD_REPO"
readlink /proc/self/ns/pid > "$WORLD_OUT/namespace"

. "$lib/users.sh"
. "$lib/services.sh"
. "$lib/daemons.sh"

"$@" && status=0 || status=$?
exit "$status"
