/* SPDX-License-Identifier: MIT */
/* TUN devices (Documentation/networking/tuntap.rst of Linux). */
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "core/packet.h"
#include "tun.h"

/* The kernel drops what its queue cannot hold: with the default of 500 packets a wake-up that is late by 20 ms would cost packets. */
enum { QUEUE_PACKETS = 10000 };

/* Settings that a namespace may lack or not allow; the harness checks that packets arrive. */
static void write_setting(const char *family, const char *device, const char *setting, const char *value)
{
	char path[128];
	int file;

	snprintf(path, sizeof(path), "/proc/sys/net/%s/conf/%s/%s", family, device, setting);
	file = open(path, O_WRONLY | O_CLOEXEC);
	if (file < 0)
		return;
	if (write(file, value, strlen(value)) < 0)
		errno = 0;
	close(file);
}

/* By rtnetlink(7): the older ioctl is refused to root of a user namespace. Returns -1 with errno set where it cannot. */
static int set_queue_length(const char *device, uint32_t packets)
{
	struct {
		struct nlmsghdr header;
		struct ifinfomsg link;
		struct rtattr attribute;
		uint32_t packets;
	} request = {
		.header = { .nlmsg_len = sizeof(request), .nlmsg_type = RTM_NEWLINK, .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK },
		.link = { .ifi_index = (int)if_nametoindex(device) },
		.attribute = { .rta_len = RTA_LENGTH(sizeof(packets)), .rta_type = IFLA_TXQLEN },
		.packets = packets,
	};
	union {
		struct nlmsghdr header;
		char bytes[1024];
	} answer;
	int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	ssize_t length = -1;

	if (netlink < 0)
		return -1;
	if (send(netlink, &request, sizeof(request), 0) == (ssize_t)sizeof(request))
		length = recv(netlink, &answer, sizeof(answer), 0);

	int error = errno;

	close(netlink);
	errno = error;
	if (length < (ssize_t)NLMSG_LENGTH(sizeof(struct nlmsgerr)) || answer.header.nlmsg_type != NLMSG_ERROR)
		return -1;
	errno = -((const struct nlmsgerr *)NLMSG_DATA(&answer.header))->error;
	return errno == 0 ? 0 : -1;
}

static const char *bring_up(int socket, struct ifreq *request)
{
	request->ifr_mtu = PACKET_MAX;
	if (ioctl(socket, SIOCSIFMTU, request) != 0)
		return "MTU";
	if (set_queue_length(request->ifr_name, QUEUE_PACKETS) != 0)
		return "queue length";
	if (ioctl(socket, SIOCGIFFLAGS, request) != 0)
		return "flags";
	request->ifr_flags |= IFF_UP;
	if (ioctl(socket, SIOCSIFFLAGS, request) != 0)
		return "bring up";
	return NULL;
}

int tun_open(const char *device, const char **what)
{
	struct ifreq request = { .ifr_flags = IFF_TUN | IFF_NO_PI };
	int tun = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	int control, error;

	*what = "/dev/net/tun";
	if (tun < 0)
		return -1;
	strncpy(request.ifr_name, device, IFNAMSIZ - 1);
	if (ioctl(tun, TUNSETIFF, &request) != 0) {
		*what = "device";
		goto fail;
	}
	/* packets come back from where they were sent to; and no router solicitations, please */
	write_setting("ipv4", device, "rp_filter", "0");
	write_setting("ipv6", device, "disable_ipv6", "1");
	control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	*what = "socket";
	if (control < 0)
		goto fail;
	*what = bring_up(control, &request);
	if (!*what) {
		close(control);
		return tun;
	}
	error = errno;
	close(control);
	errno = error;
fail:
	error = errno;
	close(tun);
	errno = error;
	return -1;
}
