#!/bin/busybox sh
# The guest's first process: mounts the host's root read-only under a writable layer and enters it.
# The kernel command line says which cgroup layout to mount: koord.layout=v1 or koord.layout=v2.
B=/bin/busybox
fail() { echo "guest: $*"; $B poweroff -f; }

$B mount -t proc proc /proc
$B mount -t sysfs sysfs /sys
$B mount -t devtmpfs devtmpfs /dev
while read -r module; do
  $B insmod "/modules/$module.ko" || fail "module $module was refused"
done </modules/order

$B mount -t virtiofs -o ro hostroot /host || fail "the host's root was not mounted by virtiofs"
$B mount -t tmpfs tmpfs /layer
$B mkdir /layer/upper /layer/work
$B mount -t overlay -o lowerdir=/host,upperdir=/layer/upper,workdir=/layer/work overlay /root || fail "no overlay"

for type in proc sys dev; do $B mount --move /$type /root/$type; done
for folder in run tmp; do $B mount -t tmpfs tmpfs /root/$folder; done
$B mkdir -p /root/dev/pts /root/dev/shm
$B mount -t devpts devpts /root/dev/pts
$B mount -t tmpfs tmpfs /root/dev/shm
$B mount -t bpf bpf /root/sys/fs/bpf
$B mount -t tracefs tracefs /root/sys/kernel/tracing

layout=$($B sed -n 's/.*koord\.layout=\([^ ]*\).*/\1/p' /root/proc/cmdline)
C=/root/sys/fs/cgroup
case $layout in
  v2)
    $B mount -t cgroup2 cgroup2 $C || fail "cgroup2 was not mounted"
    for controller in $($B cat $C/cgroup.controllers); do
      echo "+$controller" >$C/cgroup.subtree_control || fail "controller $controller was not enabled"
    done
    ;;
  v1)
    # As systemd mounts them: cpu and cpuacct together, one link each. Debian's 6.12 has neither memory nor cpuset on v1.
    $B mount -t tmpfs tmpfs $C
    for controllers in cpu,cpuacct cpuset memory blkio devices freezer pids; do
      $B mkdir $C/$controllers
      $B mount -t cgroup -o $controllers cgroup $C/$controllers || $B rmdir $C/$controllers
    done
    $B ln -s cpu,cpuacct $C/cpu
    $B ln -s cpu,cpuacct $C/cpuacct
    $B mkdir $C/systemd
    $B mount -t cgroup -o none,name=systemd cgroup $C/systemd || fail "v1 name=systemd was not mounted"
    ;;
  *) fail "no such cgroup layout: $layout" ;;
esac

$B ip link set lo up
$B hostname koord-guest
$B mkdir /root/run/guest
$B cp $B /serve.sh /root/run/guest/
exec $B switch_root /root /run/guest/busybox sh /run/guest/serve.sh
