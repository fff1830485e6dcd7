/* SPDX-License-Identifier: MIT */
/*
 * coexist-qlog: records the events of every packet at a device's queue (queue-log.h).
 *
 *   coexist-qlog OBJECT DEVICE FILE   -> {"ready":true}, then at the end
 *                                        {"records":9,"lost":0,"unreported":0,"cpuMs":1.5}
 *
 * DEVICE is in the caller's network namespace; if it has no clsact yet, its queue should be empty. Ends by SIGTERM,
 * SIGINT or the end of stdin. The kernel's queue does not wait: records that do not fit between kernel and this
 * program are lost and counted. Exit status: 0 done, 1 usage, 2 this machine lacks a feature, or a file could not be
 * written (reason on stderr).
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include "bpf-loader.h"
#include "queue-log.h"

/* Milliseconds between two fetches of records. */
#define POLL_MS 10
/* Number of fetches after which records are written to the file. */
#define FLUSH_POLLS 100
#define BUFFER_BYTES (1 << 18)

/*
 * Names of the trace points in the order in which they are attached. The last one is used only without a
 * classifier.
 */
static const char *const programs[] = { "freed", "dequeued", "enqueued", "offered" };
/* Priority of the classifier. The loss classifier has priority 1 and runs first. */
#define PRIORITY 2
#define PROGRAMS (sizeof(programs) / sizeof(programs[0]))

struct log {
	struct bpf_object *object;
	struct bpf_link *links[PROGRAMS];
	struct ring_buffer *ring;
	struct bpf_tc_hook hook; /* its ifindex is 0 without a classifier */
	int tap;                 /* packet socket whose filter checks the packets that leave; -1: none */
	FILE *file;
	uint64_t records;
};

static volatile sig_atomic_t ended;

static void on_signal(int number)
{
	(void)number;
	ended = 1;
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int write_header(FILE *file)
{
	struct queue_log_header header = { .magic = QUEUE_LOG_MAGIC,
		                           .has_service = 1,
		                           .record_bytes = sizeof(struct queue_log_record),
		                           .source = QUEUE_LOG_KERNEL };
	uint64_t least = UINT64_MAX;

	/* reads both clocks several times, and uses the reading with the shortest interruption */
	for (int i = 0; i < 16; i++) {
		uint64_t before = clock_ns(CLOCK_MONOTONIC), real = clock_ns(CLOCK_REALTIME),
			 took = clock_ns(CLOCK_MONOTONIC) - before;

		if (took >= least)
			continue;
		least = took;
		header.monotonic_ns = before + took / 2;
		header.realtime_ns = real;
	}
	return fwrite(&header, sizeof(header), 1, file) == 1 ? 0 : errno;
}

static int on_record(void *context, void *data, size_t size)
{
	struct log *log = context;

	if (size != sizeof(struct queue_log_record))
		return -EPROTO;
	if (fwrite(data, size, 1, log->file) != 1)
		return -errno;
	log->records++;
	return 0;
}

static int map_of(const struct log *log, const char *name)
{
	return bpf_object__find_map_fd_by_name(log->object, name);
}

/* Starts (1) or stops (0) recording for all programs at the same time. Returns 0 or a negative errno. */
static int set_recording(const struct log *log, uint32_t on)
{
	return bpf_map_update_elem(map_of(log, "recording"), &(uint32_t){ 0 }, &on, BPF_ANY);
}

/*
 * Counts lost records, and events for which a program did not run because it was already running. Such events
 * may belong to other queues. Returns 0 or a negative errno.
 */
static int read_lost(const struct log *log, uint64_t *lost)
{
	int error = bpf_map_lookup_elem(map_of(log, "lost"), &(uint32_t){ 0 }, lost);

	for (size_t i = 0; i < PROGRAMS && error == 0; i++) {
		struct bpf_program *program = bpf_object__find_program_by_name(log->object, programs[i]);

		if (!bpf_program__autoload(program))
			continue;

		struct bpf_prog_info info = {};
		uint32_t length = sizeof(info);

		error = bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &length);
		*lost += info.recursion_misses;
	}
	return error;
}

/*
 * Counts the packets in the queue at the end whose enqueue was not traced; it would be reported when the packet
 * leaves. A packet that was offered just as the log ended may be included. Returns 0 or an errno.
 */
static int count_unreported(const struct log *log, uint64_t *count)
{
	int packets = map_of(log, "packets");
	uint64_t key;
	struct queue_log_packet packet;

	*count = 0;
	for (const void *previous = NULL; bpf_map_get_next_key(packets, previous, &key) == 0; previous = &key) {
		if (bpf_map_lookup_elem(packets, &key, &packet) != 0)
			return errno;
		if (!packet.enqueued)
			++*count;
	}
	return 0;
}

static bool kernel_has_function(const char *name)
{
	struct btf *btf = btf__load_vmlinux_btf();
	bool found = btf != NULL && btf__find_by_name_kind(btf, name, BTF_KIND_FUNC) > 0;

	btf__free(btf);
	return found;
}

static int open_tap(struct log *log, const struct bpf_program *program, unsigned int device)
{
	struct sockaddr_ll address = { .sll_family = AF_PACKET,
		                       .sll_protocol = htons(ETH_P_ALL),
		                       .sll_ifindex = (int)device };
	int filter = bpf_program__fd(program);

	log->tap = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (log->tap < 0 || setsockopt(log->tap, SOL_SOCKET, SO_ATTACH_BPF, &filter, sizeof(filter)) != 0
	    || bind(log->tap, (struct sockaddr *)&address, sizeof(address)) != 0)
		return errno;
	return 0;
}

/* Attaches the classifier to the egress of the device. Returns 0 or a negative errno. */
static int attach_classifier(struct log *log, unsigned int device)
{
	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = (int)device, .attach_point = BPF_TC_EGRESS);
	LIBBPF_OPTS(bpf_tc_opts, options,
	            .prog_fd = bpf_program__fd(bpf_object__find_program_by_name(log->object, "arrived")), .handle = 1,
	            .priority = PRIORITY, .flags = BPF_TC_F_REPLACE);
	int error = add_classifier(&hook, &options);

	if (error == 0)
		log->hook = hook;
	return error;
}

static void detach_classifier(struct log *log)
{
	LIBBPF_OPTS(bpf_tc_opts, options, .handle = 1, .priority = PRIORITY);

	if (log->hook.ifindex == 0)
		return;
	libbpf_set_print(NULL); /* the classifier may have disappeared with the queue, which is not an error */
	bpf_tc_detach(&log->hook, &options);
	libbpf_set_print(only_errors);
	log->hook.ifindex = 0;
}

static int start(struct log *log, const char *path, const struct queue_log_constants *constants)
{
	log->object = bpf_object__open_file(path, NULL);
	if (log->object == NULL)
		return fail(path, errno);

	int error = set_constants(log->object, constants, sizeof(*constants));

	if (error != 0)
		return fail(path, error);

	struct bpf_program *departed = bpf_object__find_program_by_name(log->object, "departed");
	struct bpf_program *arrived = bpf_object__find_program_by_name(log->object, "arrived");
	struct bpf_program *offered = bpf_object__find_program_by_name(log->object, "offered");
	bool tapped = kernel_has_function("bpf_cast_to_kern_ctx");

	if (departed == NULL || arrived == NULL || offered == NULL)
		return fail(path, ENOENT);
	bpf_program__set_autoload(departed, tapped);
	bpf_program__set_autoload(arrived, tapped);
	bpf_program__set_autoload(offered, !tapped);
	error = bpf_object__load(log->object);
	if (error != 0)
		return fail("the kernel refused the programs", error);
	log->ring = ring_buffer__new(map_of(log, "records"), on_record, log, NULL);
	if (log->ring == NULL)
		return fail("ring buffer", errno);
	for (size_t i = 0; i < PROGRAMS; i++) {
		struct bpf_program *program = bpf_object__find_program_by_name(log->object, programs[i]);

		if (program == NULL)
			return fail(path, ENOENT);
		if (!bpf_program__autoload(program))
			continue;
		log->links[i] = bpf_program__attach(program);
		if (log->links[i] == NULL)
			return fail(programs[i], errno);
	}
	if (tapped) {
		error = open_tap(log, departed, constants->device);
		if (error != 0)
			return fail("packet socket", error);
		error = attach_classifier(log, constants->device);
		if (error != 0)
			return fail("classifier", error);
	}
	error = set_recording(log, 1);
	return error == 0 ? 0 : fail("recording", error);
}

/* Fetches records until the program must end. Returns 0 or an errno. */
static int follow(struct log *log)
{
	for (unsigned int polls = 1; !ended; polls++) {
		struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
		char ignored[256];

		if (poll(&input, 1, POLL_MS) > 0 && read(STDIN_FILENO, ignored, sizeof(ignored)) <= 0)
			ended = 1;

		int error = ring_buffer__consume(log->ring);

		if (error >= 0 && polls % FLUSH_POLLS == 0 && fflush(log->file) != 0)
			error = -errno;
		if (error < 0)
			return -error;
	}
	return 0;
}

static int finish(struct log *log, const char *path)
{
	int error = set_recording(log, 0);

	detach_classifier(log);
	for (size_t i = 0; i < PROGRAMS; i++) {
		bpf_link__destroy(log->links[i]);
		log->links[i] = NULL;
	}
	if (error == 0)
		error = ring_buffer__consume(log->ring);
	if (fclose(log->file) != 0 && error >= 0)
		error = -errno;
	log->file = NULL;
	return error < 0 ? fail(path, error) : 0;
}

static int report(const struct log *log)
{
	uint64_t lost, unreported;
	struct rusage usage;
	int error = read_lost(log, &lost);

	if (error != 0)
		return fail("lost records", error);
	error = count_unreported(log, &unreported);
	if (error != 0)
		return fail("packets in the queue", error);
	getrusage(RUSAGE_SELF, &usage);
	printf("{\"records\":%llu,\"lost\":%llu,\"unreported\":%llu,\"cpuMs\":%.3f}\n",
	       (unsigned long long)log->records, (unsigned long long)lost, (unsigned long long)unreported,
	       (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3
	               + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3);
	return fflush(stdout) == 0 ? 0 : fail("stdout", errno);
}

static int keep(struct log *log, const char *object, const char *device, const char *path)
{
	struct stat namespace;
	struct queue_log_constants constants = { .device = if_nametoindex(device) };

	if (constants.device == 0)
		return fail(device, errno);
	if (stat("/proc/self/ns/net", &namespace) != 0)
		return fail("/proc/self/ns/net", errno);
	constants.network_namespace = (uint32_t)namespace.st_ino;
	/* O_NOFOLLOW: under sudo the user may have put a link to a file of root's at that path */
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);

	log->file = file < 0 ? NULL : fdopen(file, "w");
	if (log->file == NULL)
		return fail(path, errno);
	setvbuf(log->file, NULL, _IOFBF, BUFFER_BYTES);

	int error = write_header(log->file);

	if (error != 0)
		return fail(path, error);
	if (start(log, object, &constants) != 0)
		return 2;
	printf("{\"ready\":true}\n");
	fflush(stdout);
	error = follow(log);

	int status = error == 0 ? 0 : fail("a file could not be written", error);

	if (finish(log, path) != 0)
		status = 2;
	return status == 0 ? report(log) : status;
}

static void release(struct log *log)
{
	detach_classifier(log);
	for (size_t i = 0; i < PROGRAMS; i++)
		bpf_link__destroy(log->links[i]);
	if (log->tap >= 0)
		close(log->tap);
	ring_buffer__free(log->ring);
	bpf_object__close(log->object);
	if (log->file != NULL)
		fclose(log->file);
}

int main(int count, char **words)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct log log = { .tap = -1 };

	if (count != 4) {
		fprintf(stderr, "usage: coexist-qlog OBJECT DEVICE FILE\n");
		return 1;
	}
	libbpf_set_print(only_errors);
	libbpf_set_strict_mode(LIBBPF_STRICT_ALL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	signal(SIGPIPE, SIG_IGN);

	int status = keep(&log, words[1], words[2], words[3]);

	release(&log);
	return status;
}
