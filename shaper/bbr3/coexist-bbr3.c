/* SPDX-License-Identifier: MIT */
/*
 * coexist-bbr3: offers BBRv3 (draft-ietf-ccwg-bbr) to TCP on this machine, under the name "bbr3".
 *
 *   coexist-bbr3 check  [--json] [--object FILE]              can this machine? Loads, registers nothing
 *   coexist-bbr3 load   [--json] [--object FILE] [--telemetry] [--budget draft|kernel] [--object-sha256 HEX]
 *   coexist-bbr3 unload [--json]
 *   coexist-bbr3 status [--json]
 *   coexist-bbr3 sockets [--monotonic]                        who uses it, as JSON; needs telemetry, as the next two
 *   coexist-bbr3 dump    [--monotonic]                        that and the last events
 *   coexist-bbr3 watch   [--monotonic] [--interval MS]        both as JSON lines, until SIGTERM or the end of stdin
 *
 * Times are Unix ms, or with --monotonic those of CLOCK_MONOTONIC. FILE is bbr3.bpf.o beside this program unless given.
 * What is registered stays so after this program has ended, and until it is unloaded or the machine restarts; it can be
 * used from every network namespace (iperf3 -C bbr3). --object-sha256 is the hash of FILE as its caller computed it;
 * "status" tells it again, so that a record can name what was loaded.
 * --budget kernel: small BDPs are reckoned as Google's kernel does (parameters.h), not as the draft does. What is
 * loaded keeps its own. Loading what is loaded and unloading what is not are successes. Connections that use it when it
 * is unloaded keep it to their end. Registration is one step of the kernel, so a program that is killed leaves all or
 * nothing.
 *
 * Exit status: 0 done, 1 usage, 2 this machine cannot (one line says why; with --json, "reason").
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/utsname.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include "kernel.h"
#include "parameters.h"
#include "refusal.h"
#include "report.h"

struct options {
	const char *command;
	const char *object;
	bool json;
	bool telemetry;
	bool monotonic;
	uint32_t budget;
	uint32_t interval_ms;
	uint8_t object_hash[BBR3_HASH_BYTES]; /* zeros: not told */
};

static void print_json_text(const char *text)
{
	putchar('"');
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else if ((unsigned char)*text < ' ')
			putchar(' ');
		else
			putchar(*text);
	}
	putchar('"');
}

static int fail(const struct options *options, const struct reason *reason)
{
	if (options->json) {
		printf("{\"done\":false,\"reason\":");
		print_json_text(reason->text);
		printf("}\n");
	}
	fprintf(stderr, "coexist-bbr3: %s\n", reason->text);
	return 2;
}

static struct bpf_map *find_map(struct bpf_object *object, const char *part)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, object) {
		if (strstr(bpf_map__name(map), part) != NULL)
			return map;
	}
	return NULL;
}

/* Opens the object, sets its constants, and has the kernel verify it. */
static struct bpf_object *open_verified(const struct options *options, const struct kernel_types *types,
                                        struct reason *reason)
{
	struct bpf_object *object = bpf_object__open_file(options->object, NULL);
	struct bbr3_constants constants;
	struct bpf_map *map;
	size_t size = 0;
	int error;

	if (object == NULL) {
		cannot(reason, "%s: %s", options->object, strerror(errno));
		return NULL;
	}
	map = find_map(object, ".rodata");

	const void *initial = map == NULL ? NULL : bpf_map__initial_value(map, &size);

	if (initial == NULL || size != sizeof(constants)
	    || ((const struct bbr3_constants *)initial)->magic != BBR3_MAGIC) {
		cannot(reason, "%s is not an object of this program's version", options->object);
		goto close;
	}
	memcpy(&constants, initial, sizeof(constants));
	constants.cong_control_arguments = types->cong_control_arguments;
	constants.telemetry = options->telemetry;
	constants.budget = options->budget;
	memcpy(constants.object_hash, options->object_hash, sizeof(constants.object_hash));
	bpf_map__set_initial_value(map, &constants, sizeof(constants));
	if (!options->telemetry) { /* nobody will write there */
		bpf_map__set_max_entries(find_map(object, "bbr3_events"), 1);
		bpf_map__set_max_entries(find_map(object, "bbr3_records"), 1);
	}
	error = bpf_object__load(object);
	if (error != 0) {
		struct utsname system;
		const char *words = refusal_words();

		uname(&system);
		cannot(reason, "Linux %s refused the program: %s%s%s%s", system.release, strerror(-error),
		       words[0] == '\0' ? "" : ": ", words,
		       atoi(system.release) < 6 ? " (Linux before 6.0 does not let BPF set the pacing rate)" : "");
		goto close;
	}
	return object;
close:
	bpf_object__close(object);
	return NULL;
}

/* What every command needs first; -1 with the reason, else whether one of ours is registered. */
static int look(struct kernel_types *types, struct registered *found, struct reason *reason)
{
	if (!has_capabilities(reason) || !read_kernel_types(types, reason))
		return -1;
	return find_registered(types, found, reason);
}

static const char *name_is_taken(void)
{
	return "another module has the name \"" CONGESTION_CONTROL
	       "\" (net.ipv4.tcp_available_congestion_control), and it is not this program's";
}

static int check(const struct options *options)
{
	struct kernel_types types;
	struct registered found;
	struct reason reason;
	int registered = look(&types, &found, &reason);

	if (registered < 0)
		return fail(options, &reason);
	if (registered > 0)
		close_registered(&found);
	else if (is_name_available())
		return cannot(&reason, "%s", name_is_taken()), fail(options, &reason);

	struct bpf_object *object = open_verified(options, &types, &reason);

	if (object == NULL)
		return fail(options, &reason);
	bpf_object__close(object);
	if (options->json)
		printf("{\"done\":true,\"loaded\":%s,\"congControlArguments\":%u}\n", registered ? "true" : "false",
		       types.cong_control_arguments);
	else
		printf("this machine can offer BBRv3%s\n", registered ? ", and does" : "");
	return 0;
}

static int say_loaded(const struct options *options, struct registered *found, bool already)
{
	if (options->json) {
		printf("{\"done\":true,\"loaded\":true,\"already\":%s,", already ? "true" : "false");
		print_identity(found);
		printf(",\"runs\":%llu,\"runTimeNs\":%llu}\n", (unsigned long long)found->runs,
		       (unsigned long long)found->run_time_ns);
	} else {
		printf("BBRv3 %s as \"%s\"%s\n", already ? "was loaded before" : "is loaded", CONGESTION_CONTROL,
		       found->what.telemetry ? ", with telemetry" : "");
	}
	close_registered(found);
	return 0;
}

static int load(const struct options *options)
{
	struct kernel_types types;
	struct registered found;
	struct reason reason;
	int registered = look(&types, &found, &reason);

	if (registered < 0)
		return fail(options, &reason);
	if (registered > 0)
		return say_loaded(options, &found, true);
	if (is_name_available())
		return cannot(&reason, "%s", name_is_taken()), fail(options, &reason);

	struct bpf_object *object = open_verified(options, &types, &reason);

	if (object == NULL)
		return fail(options, &reason);

	struct bpf_map *map = bpf_object__find_map_by_name(object, CONGESTION_CONTROL);
	/* libbpf's "link" to a struct_ops map is this one update; destroying it would unregister */
	struct bpf_link *link = map == NULL ? NULL : bpf_map__attach_struct_ops(map);

	if (link == NULL) {
		int error = errno;

		bpf_object__close(object);
		/* another process may have been quicker */
		if (find_registered(&types, &found, &reason) > 0)
			return say_loaded(options, &found, true);
		cannot(&reason, "the kernel did not register it: %s%s", strerror(error),
		       is_name_available() ? "; the name is taken" : "");
		return fail(options, &reason);
	}
	bpf_link__disconnect(link);
	bpf_link__destroy(link);
	bpf_object__close(object);
	if (find_registered(&types, &found, &reason) <= 0)
		return cannot(&reason, "it was registered, but is not there any more"), fail(options, &reason);
	return say_loaded(options, &found, false);
}

static int unload(const struct options *options)
{
	struct kernel_types types;
	struct registered found;
	struct reason reason;
	uint32_t zero = 0;
	int registered = look(&types, &found, &reason);

	if (registered < 0)
		return fail(options, &reason);
	if (registered > 0) {
		int error = bpf_map_delete_elem(found.struct_ops, &zero) == 0 ? 0 : errno;

		close_registered(&found);
		if (error != 0 && error != EINPROGRESS && error != ENOENT) /* another process is, or was, quicker */
			return cannot(&reason, "the kernel did not unregister it: %s", strerror(error)),
			       fail(options, &reason);
	} else if (is_name_available()) {
		return cannot(&reason, "%s", name_is_taken()), fail(options, &reason);
	}
	if (options->json)
		printf("{\"done\":true,\"loaded\":false,\"was\":%s}\n", registered ? "true" : "false");
	else
		printf("%s\n",
		       registered ? "BBRv3 is unloaded; connections that use it keep it" : "BBRv3 was not loaded");
	return 0;
}

/* status, sockets, dump and watch: they need one that is registered, except status. */
static int tell(const struct options *options)
{
	struct kernel_types types;
	struct registered found;
	struct reason reason;
	bool is_status = strcmp(options->command, "status") == 0;
	int registered = look(&types, &found, &reason), error = 0;

	if (registered < 0)
		return fail(options, &reason);
	if (registered == 0 && !is_status)
		return cannot(&reason, "BBRv3 is not loaded"), fail(options, &reason);
	if (is_status && registered == 0 && options->json)
		printf("{\"done\":true,\"loaded\":false,\"nameTaken\":%s}\n", is_name_available() ? "true" : "false");
	else if (is_status && registered == 0)
		printf("BBRv3 is not loaded%s\n", is_name_available() ? "; another module has its name" : "");
	else if (is_status)
		return say_loaded(options, &found, true);
	else if (!found.what.telemetry)
		error = ENODATA;
	else if (strcmp(options->command, "watch") == 0)
		error = watch(&found, options->interval_ms, options->monotonic);
	else
		error = print_telemetry(&found, strcmp(options->command, "dump") == 0, options->monotonic);
	if (registered > 0)
		close_registered(&found);
	if (error != 0)
		return cannot(&reason, error == ENODATA ? "BBRv3 was loaded without telemetry" : "telemetry: %s",
		              strerror(error)),
		       fail(options, &reason);
	return 0;
}

static int usage(void)
{
	fprintf(stderr,
	        "usage: coexist-bbr3 check|load|unload|status|sockets|dump|watch [--json] [--object FILE] [--telemetry] "
	        "[--budget draft|kernel] [--object-sha256 HEX] [--monotonic] [--interval MS]\n");
	return 1;
}

static const char *default_object(void)
{
	static char path[PATH_MAX + 32];
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (length < 0)
		return "bbr3.bpf.o";
	path[length] = '\0';

	char *directory = dirname(path);
	size_t end = strlen(directory);

	memmove(path, directory, end + 1);
	snprintf(path + end, sizeof(path) - end, "/bbr3.bpf.o");
	return path;
}

/* 64 hexadecimal digits. */
static bool parse_hash(const char *text, uint8_t hash[BBR3_HASH_BYTES])
{
	if (strlen(text) != 2 * BBR3_HASH_BYTES || strspn(text, "0123456789abcdefABCDEF") != strlen(text))
		return false;
	for (int i = 0; i < BBR3_HASH_BYTES; i++)
		sscanf(text + 2 * i, "%2hhx", &hash[i]);
	return true;
}

static bool parse(int count, char **words, struct options *options)
{
	*options = (struct options){ .command = count > 1 ? words[1] : "",
		                     .object = default_object(),
		                     .interval_ms = 100 };
	for (int i = 2; i < count; i++) {
		if (strcmp(words[i], "--json") == 0) {
			options->json = true;
		} else if (strcmp(words[i], "--telemetry") == 0) {
			options->telemetry = true;
		} else if (strcmp(words[i], "--monotonic") == 0) {
			options->monotonic = true;
		} else if (strcmp(words[i], "--object") == 0 && i + 1 < count) {
			options->object = words[++i];
		} else if (strcmp(words[i], "--object-sha256") == 0 && i + 1 < count) {
			if (!parse_hash(words[++i], options->object_hash))
				return false;
		} else if (strcmp(words[i], "--budget") == 0 && i + 1 < count) {
			bool kernel = strcmp(words[++i], "kernel") == 0;

			if (!kernel && strcmp(words[i], "draft") != 0)
				return false;
			options->budget = kernel ? BBR3_BUDGET_KERNEL : BBR3_BUDGET_DRAFT;
		} else if (strcmp(words[i], "--interval") == 0 && i + 1 < count) {
			char *end;
			long value = strtol(words[++i], &end, 10);

			if (*end != '\0' || end == words[i] || value < 1 || value > 60000)
				return false;
			options->interval_ms = (uint32_t)value;
		} else {
			return false;
		}
	}
	return true;
}

int main(int count, char **words)
{
	static const struct {
		const char *name;
		int (*run)(const struct options *options);
	} commands[] = { { "check", check },  { "load", load }, { "unload", unload }, { "status", tell },
		         { "sockets", tell }, { "dump", tell }, { "watch", tell } };
	struct options options;

	refusal_keep_words();
	libbpf_set_strict_mode(LIBBPF_STRICT_ALL);
	if (!parse(count, words, &options))
		return usage();
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (strcmp(options.command, commands[i].name) == 0)
			return commands[i].run(&options);
	}
	return usage();
}
