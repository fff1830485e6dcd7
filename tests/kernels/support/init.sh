#!/bin/sh
# First process of the kernel that runs as a process (user-mode-linux): it sees this machine's files read-only, loads
# what the shaper needs, names its devices as the product's router has them, and then carries out commands.
# From the kernel's command line: EXCHANGE, the folder that commands are in; CONTROL, our address for them.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs scratch /mnt

modules=/usr/lib/uml/modules/$(uname -r)/kernel
for module in drivers/net/ifb net/sched/act_mirred net/sched/cls_matchall net/sched/cls_bpf net/sched/sch_ingress net/sched/sch_htb net/sched/sch_tbf \
	net/sched/sch_netem net/sched/sch_codel net/sched/sch_fq_codel net/sched/sch_pie net/sched/sch_cake net/sched/sch_dualpi2; do
	busybox insmod "$modules/$module.ko" $([ "$module" = drivers/net/ifb ] && echo numifbs=0) || echo "this kernel has no $module"
done

number=0
for name in toServer toClient toFlooder control; do
	ip link set dev "vec$number" name "$name"
	# brought up here, while the other end is still in the namespace of this kernel's own process
	ip link set dev "$name" up
	number=$((number + 1))
done
ip link set dev lo up
ip address add "$CONTROL/30" dev control

# each connection is one command
while :; do
	busybox nc -ll -p 7 -e /bin/sh "${0%/*}/command.sh"
done
