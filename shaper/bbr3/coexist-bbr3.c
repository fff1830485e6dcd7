/* SPDX-License-Identifier: MIT */
/*
 * coexist-bbr3: offers BBRv3 (draft-ietf-ccwg-bbr) to TCP on this machine, under the name "bbr3".
 *
 *   coexist-bbr3 check  [--json] [--object FILE]              tests this machine: loads, registers nothing
 *   coexist-bbr3 load   [--json] [--object FILE] [--telemetry] [--budget draft|kernel] [--object-sha256 HEX]
 *   coexist-bbr3 hold   ... options of load                   loads it for runs unless loaded, and holds it
 *   coexist-bbr3 unload [--json] [--only-left]
 *   coexist-bbr3 status [--json]
 *   coexist-bbr3 sockets [--monotonic]                        connections as JSON; like the next two needs telemetry
 *   coexist-bbr3 dump    [--monotonic]                        connections and the last events
 *   coexist-bbr3 watch   [--monotonic] [--interval MS]        both as JSON lines, until SIGTERM or the end of stdin
 *
 * Times are Unix ms, or with --monotonic those of CLOCK_MONOTONIC. The default FILE is bbr3.bpf.o in this program's
 * folder. --object-sha256 is the hash of FILE as its caller computed it; "status" prints it, so that a record can
 * name the loaded object. --budget kernel: small BDPs count as in Google's kernel (parameters.h), not as in the
 * draft. A BBRv3 that is already loaded keeps its budget.
 *
 * A registered BBRv3 can be used from every network namespace (iperf3 -C bbr3). After "load" it stays until it is
 * unloaded or the machine restarts. "hold" prints its line when BBRv3 is registered, and holds it until SIGTERM,
 * SIGINT or the end of stdin. A registration by "hold" is removed with the last process that holds it, in any
 * container (users.h). If the last one is killed, it stays, and the next "hold" or "load" replaces it. "unload"
 * refuses while processes hold it; with --only-left it removes only what killed processes have left. To load it
 * twice, or to unload it when it is not loaded, is a success. Connections that use it when it is unloaded keep it to
 * their end. Registration is one step of the kernel, so a killed program leaves all or nothing.
 *
 * Exit status: 0 done, 1 usage, 2 not done, with the reason on a line, or with --json in "reason", and its "kind":
 * "cannot": the machine lacks a feature; "busy": temporary; "taken": the name is in use.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>
#include "kernel.h"
#include "look.h"
#include "parameters.h"
#include "refusal.h"
#include "registration.h"
#include "report.h"
#include "stop.h"
#include "users.h"

struct options {
	const char *command;
	struct wanted wanted;
	bool json;
	bool monotonic;
	bool only_left;
	uint32_t interval_ms;
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
	static const char *const kinds[] = { [CANNOT] = "cannot", [BUSY] = "busy", [TAKEN] = "taken" };

	if (options->json) {
		printf("{\"done\":false,\"kind\":\"%s\",\"reason\":", kinds[reason->kind]);
		print_json_text(reason->text);
		printf("}\n");
	}
	fprintf(stderr, "coexist-bbr3: %s\n", reason->text);
	return 2;
}

static int check(const struct options *options)
{
	struct kernel_types types;
	struct registered found;
	struct reason reason;
	bool taken;
	int registered = look_for_name(&types, &found, &taken, &reason);

	if (registered < 0)
		return fail(options, &reason);
	if (registered > 0)
		close_registered(&found);
	if (taken)
		return refuse(&reason, TAKEN, NAME_IS_TAKEN), fail(options, &reason);
	if (!is_verified(&options->wanted, &types, &reason))
		return fail(options, &reason);
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
		printf("BBRv3 %s as \"%s\"%s%s\n", already ? "was loaded before" : "is loaded", CONGESTION_CONTROL,
		       found->what.telemetry ? ", with telemetry" : "",
		       found->what.for_runs ? ", until nobody holds it" : "");
	}
	close_registered(found);
	return 0;
}

/*
 * Registers the wanted object if no BBRv3 is registered. Must be called in this process's turn. Replaces a
 * registration for runs that has no holder, because killed processes left it. Returns 1: was registered before;
 * 0: registered now; -1: failure, with the reason.
 */
static int offer(const struct wanted *wanted, const struct mark *own, struct registered *found, struct reason *reason)
{
	struct kernel_types types;
	int registered = look_for_own(&types, found, reason);

	if (registered > 0 && found->what.for_runs) {
		int users = count_users(own, reason);

		if (users > 0)
			return 1;
		if (users < 0)
			close_registered(found);
		if (users < 0 || !unregister(found, reason))
			return -1;
		registered = 0;
	}
	if (registered != 0)
		return registered;
	return register_wanted(wanted, &types, found, reason) ? 0 : -1;
}

static int load(const struct options *options)
{
	struct registered found;
	struct reason reason;
	struct mark turn;
	int offered;

	if (!has_capabilities(&reason) || !take_turn(&turn, &reason))
		return fail(options, &reason);
	offered = offer(&options->wanted, NULL, &found, &reason);
	end_mark(&turn);
	return offered < 0 ? fail(options, &reason) : say_loaded(options, &found, offered > 0);
}

/*
 * Unregisters BBRv3, in this process's turn; with `only_left` only a registration for runs. Fails if other
 * processes hold it; the mark `own` of this process does not count. A registration of another version does not
 * say whether it is permanent, and runs of older versions have no maps that show their use, so such
 * registrations are removed only by an explicit "unload". Returns 1: removed; 0: nothing was registered; -1:
 * failure, with the reason.
 */
static int withdraw(bool only_left, const struct mark *own, struct reason *reason)
{
	struct kernel_types types;
	struct registered found;
	int registered = look(&types, &found, reason), users;

	if (registered == 0 && !only_left && is_name_available())
		return refuse(reason, TAKEN, NAME_IS_TAKEN), -1;
	if (registered <= 0)
		return registered;
	/* for another version for_runs is not known, and 0 */
	users = only_left && !found.what.for_runs ? 0 : count_users(own, reason);
	if (users == 0 && (!only_left || found.what.for_runs))
		return unregister(&found, reason) ? 1 : -1;
	close_registered(&found);
	if (users > 0 && !only_left)
		return refuse(reason, BUSY, "%d %s; wait for the end of the runs that use it", users,
		              users == 1 ? "process holds it" : "processes hold it"),
		       -1;
	return users < 0 ? -1 : 0;
}

static int unload(const struct options *options)
{
	struct reason reason;
	struct mark turn;
	int withdrawn;

	if (!has_capabilities(&reason) || !take_turn(&turn, &reason))
		return fail(options, &reason);
	withdrawn = withdraw(options->only_left, NULL, &reason);
	end_mark(&turn);
	if (withdrawn < 0)
		return fail(options, &reason);
	if (options->json)
		printf("{\"done\":true,\"was\":%s}\n", withdrawn ? "true" : "false");
	else if (withdrawn)
		printf("BBRv3 is unloaded; connections that use it keep it\n");
	else
		printf("BBRv3 was not %s\n", options->only_left ? "left by a run" : "loaded");
	return 0;
}

/* Runs the command "hold": holds BBRv3 until the end of stdin, SIGTERM or SIGINT. Returns the exit status. */
static int hold(const struct options *options)
{
	struct wanted wanted = options->wanted;
	struct registered found;
	struct reason reason;
	struct mark user, turn;
	int offered = -1, withdrawn = -1;

	wanted.for_runs = true;
	keep_stop_signals();
	if (!has_capabilities(&reason) || !take_turn(&turn, &reason))
		return fail(options, &reason);
	if (begin_use(&user, &reason)) {
		offered = offer(&wanted, &user, &found, &reason);
		if (offered < 0)
			end_mark(&user);
	}
	end_mark(&turn);
	if (offered < 0)
		return fail(options, &reason);
	say_loaded(options, &found, offered > 0);
	if (fflush(stdout) == 0)
		is_stopped(-1);
	if (take_turn(&turn, &reason)) {
		withdrawn = withdraw(true, &user, &reason);
		end_mark(&user);
		end_mark(&turn);
	}
	return withdrawn < 0 ? fail(options, &reason) : 0;
}

/*
 * Runs the commands status, sockets, dump and watch. All except status need a registered BBRv3. Returns the
 * exit status.
 */
static int tell(const struct options *options)
{
	struct kernel_types types;
	struct registered found;
	struct reason reason;
	bool is_status = strcmp(options->command, "status") == 0, taken;
	int registered = look_for_name(&types, &found, &taken, &reason), error = 0;

	if (registered < 0)
		return fail(options, &reason);
	if (registered == 0 && !is_status)
		return cannot(&reason, "BBRv3 is not loaded"), fail(options, &reason);
	if (is_status && registered == 0 && options->json)
		printf("{\"done\":true,\"loaded\":false,\"nameTaken\":%s}\n", taken ? "true" : "false");
	else if (is_status && registered == 0)
		printf("BBRv3 is not loaded%s\n", taken ? "; another module has its name" : "");
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
	        "usage: coexist-bbr3 check|load|hold|unload|status|sockets|dump|watch [--json] [--object FILE] [--telemetry] "
	        "[--budget draft|kernel] [--object-sha256 HEX] [--only-left] [--monotonic] [--interval MS]\n");
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

/* Parses 64 hexadecimal digits. Returns false if `text` has another form. */
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
		                     .wanted.object = default_object(),
		                     .interval_ms = 100 };
	for (int i = 2; i < count; i++) {
		if (strcmp(words[i], "--json") == 0) {
			options->json = true;
		} else if (strcmp(words[i], "--telemetry") == 0) {
			options->wanted.telemetry = true;
		} else if (strcmp(words[i], "--only-left") == 0) {
			options->only_left = true;
		} else if (strcmp(words[i], "--monotonic") == 0) {
			options->monotonic = true;
		} else if (strcmp(words[i], "--object") == 0 && i + 1 < count) {
			options->wanted.object = words[++i];
		} else if (strcmp(words[i], "--object-sha256") == 0 && i + 1 < count) {
			if (!parse_hash(words[++i], options->wanted.object_hash))
				return false;
		} else if (strcmp(words[i], "--budget") == 0 && i + 1 < count) {
			bool kernel = strcmp(words[++i], "kernel") == 0;

			if (!kernel && strcmp(words[i], "draft") != 0)
				return false;
			options->wanted.budget = kernel ? BBR3_BUDGET_KERNEL : BBR3_BUDGET_DRAFT;
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
	} commands[] = { { "check", check }, { "load", load },    { "hold", hold }, { "unload", unload },
		         { "status", tell }, { "sockets", tell }, { "dump", tell }, { "watch", tell } };
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
