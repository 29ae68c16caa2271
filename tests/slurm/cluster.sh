# A private Slurm of four nodes, n0 to n3, on this machine: the distribution's own slurmctld and slurmd,
# each slurmd under a host name of its own, four GPUs a node that are files. To be sourced.
# cluster_up DIR: sets SLURM_CONF; 1: something is missing here, told in $why.
# cluster_down DIR: ends what was started.

cluster_missing() {
  local program
  for program in slurmctld slurmd srun sbatch salloc unshare mknod; do
    PATH=$PATH:/usr/sbin:/sbin command -v "$program" >/dev/null || { why="there is no $program"; return 0; }
  done
  [ "$(id -u)" -eq 0 ] || { why="this account is not root"; return 0; }
  unshare --uts --mount true 2>/dev/null || { why="no namespaces for us here"; return 0; }
  mknod "$1/probe" c 1 3 2>/dev/null || { why="no device files for us here"; return 0; }
  rm "$1/probe"
  return 1
}

# Five ports that nobody listens to, from a place of its own for each run.
free_ports() {
  local first=$((20000 + $$ % 10000)) port taken
  while :; do
    taken=
    for port in $(seq "$first" $((first + 4))); do
      if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then taken=yes; fi
    done
    [ -n "$taken" ] || break
    first=$((first + 5))
  done
  echo "$first"
}

# The first job's number is any: Open MPI names its shared memory by node, job and step, and another
# such cluster may run beside this one.
write_configuration() {
  local folder=$1 port=$2 node
  cat >"$folder/slurm.conf" <<END
ClusterName=rankmap
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
TmpFS=$folder/tmp/%n
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd.%n.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/slurmd.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
MpiDefault=none
PlugStackConfig=$folder/plugstack.conf
GresTypes=gpu
SwitchType=switch/none
TopologyPlugin=topology/tree
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerParameters=sched_interval=1,bf_interval=1
PropagateResourceLimitsExcept=ALL
KillWait=2
FirstJobId=$((1000 + RANDOM))
NodeName=n0 NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=8 RealMemory=1000 Gres=gpu:4 State=UNKNOWN
NodeName=n1 NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=8 RealMemory=1000 Gres=gpu:4 State=UNKNOWN
NodeName=n2 NodeAddr=127.0.0.1 Port=$((port + 3)) CPUs=8 RealMemory=1000 State=UNKNOWN
NodeName=n3 NodeAddr=127.0.0.1 Port=$((port + 4)) CPUs=8 RealMemory=1000 State=UNKNOWN
PartitionName=wide Nodes=n[0-3] OverSubscribe=FORCE:8 MaxTime=INFINITE State=UP
PartitionName=p Nodes=n0,n1 Default=YES OverSubscribe=FORCE:8 MaxTime=INFINITE State=UP
END
  echo "Name=gpu File=$folder/dev/nvidia[0-3]" >"$folder/gres.conf"
  # Neighbours by number are below different switches.
  cat >"$folder/topology.conf" <<END
SwitchName=s0 Nodes=n0,n2
SwitchName=s1 Nodes=n1,n3
SwitchName=top Switches=s[0-1]
END
  # The nodes' names are known to the nodes alone.
  { cat /etc/hosts; echo "127.0.0.1 n0 n1 n2 n3"; } >"$folder/hosts"
}

cluster_up() {
  local folder=$1 node gpu
  PATH=$PATH:/usr/sbin:/sbin
  cluster_missing "$folder" && return 1
  mkdir -p "$folder"/{state,spool,log,run,dev,tmp/n0,tmp/n1,tmp/n2,tmp/n3}
  for gpu in 0 1 2 3; do mknod "$folder/dev/nvidia$gpu" c 1 3; done
  write_configuration "$folder" "$(free_ports)"
  [ -e "$folder/plugstack.conf" ] || : >"$folder/plugstack.conf"
  export SLURM_CONF=$folder/slurm.conf
  slurmctld -f "$SLURM_CONF" || { why="slurmctld does not start"; return 1; }
  for node in n0 n1 n2 n3; do
    unshare --uts --mount sh -c "hostname $node; mount --bind '$folder/hosts' /etc/hosts
      exec slurmd -f '$SLURM_CONF' -N $node" || { why="slurmd does not start"; return 1; }
  done
  for _ in $(seq 100); do
    [ "$(sinfo -h -o %T 2>/dev/null | sort -u)" = idle ] && return 0
    sleep 0.2
  done
  why="the nodes do not come up: $(tail -n 3 "$folder"/log/* 2>/dev/null)"
  return 1
}

cluster_down() {
  local file pid
  [ -n "${SLURM_CONF:-}" ] && scancel --state=RUNNING --state=PENDING 2>/dev/null
  for file in "$1"/run/slurmd.*.pid "$1"/run/slurmctld.pid; do
    [ -s "$file" ] || continue
    pid=$(cat "$file")
    kill "$pid" 2>/dev/null
    for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    kill -9 "$pid" 2>/dev/null
  done
  true
}
