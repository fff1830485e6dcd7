#!/bin/sh
# First process of a kernel that runs in qemu: loads BBRv3, sends a short flow through it over a slow loopback, and tells what
# came of it in lines that begin with RESULT. busybox has a tc of its own, hence the path of ours.
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev 2>/dev/null
insmod /sch_netem.ko || echo "RESULT problem no netem"
ip link set dev lo mtu 1500 up
ethtool -K lo tso off gso off gro off 2>/dev/null
/bin/tc qdisc add dev lo root netem delay 10ms rate 20mbit limit 300 || echo "RESULT problem no delay"
echo # the firmware leaves the line unfinished
echo "RESULT kernel \"$(uname -r)\""
echo "RESULT check $(coexist-bbr3 check --json 2>&1)"
echo "RESULT load $(coexist-bbr3 load --telemetry --object-sha256 "$(busybox sha256sum /bin/bbr3.bpf.o | cut -d " " -f 1)" --json 2>&1)"
iperf3 -s -D
sleep 1
echo "RESULT flow $(iperf3 -c 127.0.0.1 -C bbr3 -t 8 -J | tr -d '\n\t')"
echo "RESULT dump $(coexist-bbr3 dump)"
echo "RESULT again $(coexist-bbr3 load --json 2>&1)"
echo "RESULT unload $(coexist-bbr3 unload --json 2>&1)"
echo "RESULT offered \"$(cat /proc/sys/net/ipv4/tcp_available_congestion_control)\""
reboot -f
