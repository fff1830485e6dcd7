/* SPDX-License-Identifier: MIT */
/* Tests of requests and their answers, mainly of answers to invalid configurations. */
#include <json-c/json.h>
#include "control.h"
#include "core/random.h"
#include "support.h"

static struct log log_state = { .file = -1 };
static struct control control = { .log = &log_state };
static struct text answer;

/* Returns the answer to a request, without the end of its line. */
static const char *ask_at(const char *request, uint64_t now_ns)
{
	text_remove(&answer, answer.length);
	control_answer(&control, request, strlen(request), now_ns, &answer);
	CHECK(answer.length > 0 && answer.bytes[answer.length - 1] == '\n');
	answer.bytes[answer.length - 1] = '\0';
	CHECK(!strchr(answer.bytes, '\n'));
	return answer.bytes;
}

static const char *ask(const char *request)
{
	return ask_at(request, 0);
}

static const char whole[] =
	"{\"set\":{\"seed\":1704381886358269,\"overheadBytes\":14,\"paths\":["
	"{\"direction\":\"down\",\"peer\":\"10.0.1.2\",\"delayUs\":25000,\"jitter\":{\"maxUs\":5000},"
	"\"loss\":{\"kind\":\"independent\",\"ratio\":0.02,\"where\":\"before\"},"
	"\"reorder\":{\"ratio\":0.01,\"delayUs\":3000},\"duplicateRatio\":0.001},"
	"{\"direction\":\"up\",\"peer\":\"10.0.1.2\",\"delayUs\":12500.5,"
	"\"loss\":{\"kind\":\"gilbert-elliott\",\"toBadRatio\":0.01,\"toGoodRatio\":0.3,"
	"\"badLossRatio\":0.5,\"goodLossRatio\":0,\"where\":\"after\"}}],"
	"\"bottleneck\":{\"rateBps\":40000000,\"limitPackets\":1000,\"limitBytes\":null,"
	"\"aqm\":{\"kind\":\"fq-codel\",\"targetUs\":4000,\"flows\":64},\"ecn\":true,"
	"\"schedule\":[{\"atUs\":10000000,\"rateBps\":10000000,\"rampUs\":0},"
	"{\"atUs\":10000000,\"rateBps\":20000000,\"rampUs\":5000}],\"trace\":null}}}";

static void everything(void)
{
	const struct link *link = control.link;

	CHECK_TEXT(ask(whole), "{\"set\":true}");
	CHECK_EQUAL(link->config.seed, 1704381886358269);
	CHECK_EQUAL(link->config.path_count, 2);

	const struct path_config *down = &link->paths[0].config, *up = &link->paths[1].config;

	CHECK_EQUAL(down->peer, address("10.0.1.2"));
	CHECK_EQUAL(down->delay_ns, 25 * ms);
	CHECK_EQUAL(down->jitter_max_ns, 5 * ms);
	CHECK_EQUAL(down->loss.kind, LOSS_INDEPENDENT);
	CHECK_EQUAL(down->loss.good_loss, random_threshold(0.02));
	CHECK_EQUAL(down->reorder, random_threshold(0.01));
	CHECK_EQUAL(down->reorder_delay_ns, 3 * ms);
	CHECK_EQUAL(down->duplicate, random_threshold(0.001));
	CHECK_EQUAL(up->direction, UP);
	CHECK_EQUAL(up->delay_ns, 12500500);
	CHECK_EQUAL(up->loss.where, LOSS_AFTER);
	CHECK_EQUAL(up->loss.bad_loss, random_threshold(0.5));
	CHECK_EQUAL(link->config.overhead_bytes, 14);

	const struct queue_config *queue = &link->bottlenecks[DOWN]->queue->config;

	CHECK(queue->discipline == managed("fq-codel").discipline);
	CHECK_EQUAL(queue->limit_packets, 1000);
	CHECK(queue->limit_bytes == NEVER);
	CHECK_EQUAL(parameter(queue, "targetUs"), 4 * ms);
	CHECK_EQUAL(parameter(queue, "intervalUs"), 100 * ms);
	CHECK_EQUAL(parameter(queue, "flows"), 64);
	CHECK(queue->ecn);
	CHECK_EQUAL(link->bottlenecks[DOWN]->step_count, 2);
	CHECK_EQUAL(link->bottlenecks[DOWN]->steps[1].ramp_ns, 5 * ms);
}

/* Test of a second bottleneck in the return direction, which is read, changed and counted separately. */
static void way_back(void)
{
	static const char both[] =
		"{\"set\":{\"seed\":0,\"overheadBytes\":0,\"paths\":[],\"bottleneck\":null,"
		"\"up\":{\"rateBps\":1000000,\"limitPackets\":20,\"limitBytes\":null,\"aqm\":{\"kind\":\"fifo\"},\"ecn\":false}}}";
	const struct link *link = control.link;

	CHECK_TEXT(ask(both), "{\"set\":true}");
	CHECK(!link->bottlenecks[DOWN]);
	CHECK_EQUAL(link->bottlenecks[UP]->queue->config.limit_packets, 20);
	CHECK_TEXT(ask("{\"rate\":{\"rateBps\":2000000}}"), "{\"error\":\"rate: there is no bottleneck with a rate\"}");
	CHECK_TEXT(ask("{\"rate\":{\"rateBps\":2000000,\"direction\":\"up\"}}"), "{\"rate\":true}");
	CHECK_TEXT(ask("{\"limit\":{\"limitPackets\":7,\"limitBytes\":null,\"direction\":\"up\"}}"),
	           "{\"limit\":true}");
	CHECK_EQUAL(link->bottlenecks[UP]->queue->config.limit_packets, 7);
	CHECK(strstr(ask("{\"read\":true}"), "\"bottleneck\":null,\"up\":{\"markedPackets\":0,\"inPackets\":0"));
	CHECK_TEXT(
		ask("{\"set\":{\"seed\":0,\"overheadBytes\":0,\"paths\":[],\"bottleneck\":null,\"up\":{\"rateBps\":0}}}"),
		"{\"error\":\"set.up.rateBps: must be more than 0\"}");
	CHECK_EQUAL(link->bottlenecks[UP]->queue->config.limit_packets, 7);
}

static void defaults(void)
{
	static const char *const kinds[] = { "codel", "fq-codel", "pie" };
	static const uint64_t targets_us[] = { 5000, 5000, 15000 };
	char request[300];

	for (int i = 0; i < 3; i++) {
		snprintf(request, sizeof(request),
		         "{\"set\":{\"seed\":0,\"overheadBytes\":0,\"paths\":[],"
		         "\"bottleneck\":{\"rateBps\":1,\"limitPackets\":null,\"limitBytes\":null,"
		         "\"aqm\":{\"kind\":\"%s\"}}}}",
		         kinds[i]);
		CHECK_TEXT(ask(request), "{\"set\":true}");
		CHECK_EQUAL(parameter(&control.link->bottlenecks[DOWN]->queue->config, "targetUs"), targets_us[i] * us);
	}
	CHECK_TEXT(ask("{\"set\":{\"seed\":0,\"overheadBytes\":0,\"paths\":[],"
	               "\"bottleneck\":{\"rateBps\":1,\"limitPackets\":null,\"limitBytes\":null,"
	               "\"aqm\":{\"kind\":\"dualpi2\"},\"ecn\":true}}}"),
	           "{\"set\":true}");
	CHECK_EQUAL(parameter(&control.link->bottlenecks[DOWN]->queue->config, "rampFromUs"), 800 * us);
	CHECK_NEAR(parameter(&control.link->bottlenecks[DOWN]->queue->config, "coupling"), 2, 0);
	CHECK_TEXT(ask("{\"set\":{\"seed\":0,\"overheadBytes\":0,\"paths\":[],\"bottleneck\":null}}"),
	           "{\"set\":true}");
	CHECK(!control.link->bottlenecks[DOWN]);
}

/* Tests that put a wrong value in place of a right one, with the expected error. */
static void wrong_values(void)
{
	static const struct {
		const char *right, *wrong, *error;
	} cases[] = {
		{ "\"seed\":1704381886358269", "\"seed\":-1", "set.seed: must be at least 0" },
		{ "\"seed\":1704381886358269", "\"seed\":1.5", "set.seed: must be a whole number" },
		{ "\"seed\":1704381886358269", "\"seed\":9007199254740992",
		  "set.seed: must be at most 9.00719925474099e+15" },
		{ "\"seed\":1704381886358269,", "", "set.seed: must be a number" },
		{ "\"overheadBytes\":14", "\"overheadBytes\":\"14\"", "set.overheadBytes: must be a number" },
		{ "\"overheadBytes\":14", "\"overheadBytes\":257", "set.overheadBytes: must be at most 256" },
		{ "\"overheadBytes\"", "\"overheadbytes\"", "set.overheadbytes: is not known here" },
		{ "\"direction\":\"down\"", "\"direction\":\"left\"",
		  "set.paths[0].direction: must be one of \"down\", \"up\"" },
		{ "\"direction\":\"up\"", "\"direction\":\"down\"",
		  "set.paths[1]: has the direction and peer of paths[0]" },
		{ "\"peer\":\"10.0.1.2\"", "\"peer\":\"10.0.1\"", "set.paths[0].peer: must be an IPv4 address" },
		{ "\"peer\":\"10.0.1.2\"", "\"peer\":167772418", "set.paths[0].peer: must be an IPv4 address" },
		{ "\"delayUs\":25000", "\"delayUs\":-1", "set.paths[0].delayUs: must be at least 0" },
		{ "\"delayUs\":12500.5", "\"delayUs\":1e9", "set.paths[1].delayUs: must be at most 60000000" },
		{ "\"delayUs\":25000,", "", "set.paths[0].delayUs: must be a number" },
		{ "{\"maxUs\":5000}", "5000", "set.paths[0].jitter: must be an object" },
		{ "\"maxUs\":5000", "\"maxMs\":5", "set.paths[0].jitter.maxMs: is not known here" },
		{ "\"maxUs\":5000", "", "set.paths[0].jitter.maxUs: must be a number" },
		{ "\"ratio\":0.02", "\"ratio\":1.1", "set.paths[0].loss.ratio: must be at most 1" },
		{ "\"ratio\":0.02", "\"toBadRatio\":0.1", "set.paths[0].loss.toBadRatio: is not known here" },
		{ "\"ratio\":0.02,", "", "set.paths[0].loss.ratio: must be a number" },
		{ "\"independent\"", "\"none\"",
		  "set.paths[0].loss.kind: must be one of \"independent\", \"gilbert-elliott\"" },
		{ ",\"where\":\"before\"", "", "set.paths[0].loss.where: must be one of \"before\", \"after\"" },
		{ "\"toGoodRatio\":0.3,", "", "set.paths[1].loss.toGoodRatio: must be a number" },
		{ "\"badLossRatio\":0.5", "\"badLossRatio\":null", "set.paths[1].loss.badLossRatio: must be a number" },
		{ "\"delayUs\":3000", "\"delayUs\":true", "set.paths[0].reorder.delayUs: must be a number" },
		{ "\"duplicateRatio\":0.001", "\"duplicateRatio\":2",
		  "set.paths[0].duplicateRatio: must be at most 1" },
		{ "\"rateBps\":40000000", "\"rateBps\":0", "set.bottleneck.rateBps: must be more than 0" },
		{ "\"rateBps\":40000000,", "", "set.bottleneck.rateBps: must be a number" },
		{ "\"limitPackets\":1000", "\"limitPackets\":0", "set.bottleneck.limitPackets: must be at least 1" },
		{ "\"limitPackets\":1000", "\"limitPackets\":30001",
		  "set.bottleneck.limitPackets: must be at most 30000" },
		{ ",\"limitBytes\":null", "", "set.bottleneck.limitBytes: must be a number or null" },
		{ "\"kind\":\"fq-codel\"", "\"kind\":\"codel\"", "set.bottleneck.aqm.flows: is not known here" },
		{ "\"targetUs\":4000", "\"targetUs\":0", "set.bottleneck.aqm.targetUs: must be at least 100" },
		{ "\"flows\":64", "\"flows\":0", "set.bottleneck.aqm.flows: must be at least 1" },
		{ "{\"kind\":\"fq-codel\",\"targetUs\":4000,\"flows\":64}", "{\"kind\":\"fifo\"}",
		  "set.bottleneck.ecn: must be false: a FIFO marks nothing" },
		{ "{\"kind\":\"fq-codel\",\"targetUs\":4000,\"flows\":64},\"ecn\":true", "{\"kind\":\"dualpi2\"}",
		  "set.bottleneck.ecn: must be true: DualPI2 tells its two kinds of traffic apart by it" },
		{ "\"ecn\":true", "\"ecn\":1", "set.bottleneck.ecn: must be true or false" },
		{ "\"atUs\":10000000,\"rateBps\":20000000", "\"atUs\":9999999,\"rateBps\":20000000",
		  "set.bottleneck.schedule[1].atUs: must not be before the end of the step before it" },
		{ "\"rateBps\":10000000,\"rampUs\":0", "\"rateBps\":0,\"rampUs\":0",
		  "set.bottleneck.schedule[0].rateBps: must be more than 0" },
		{ "\"trace\":null", "\"trace\":{\"file\":\"t\"}",
		  "set.bottleneck.trace: cannot go together with a schedule" },
		{ "\"trace\":null", "\"trace\":\"t\"", "set.bottleneck.trace: must be an object" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char request[2000];
		const char *at = strstr(whole, cases[i].right);

		CHECK(at);
		snprintf(request, sizeof(request), "%.*s%s%s", (int)(at - whole), whole, cases[i].wrong,
		         at + strlen(cases[i].right));
		CHECK_TEXT(ask(whole), "{\"set\":true}");
		ask(request);

		json_object *said = json_tokener_parse(answer.bytes), *error = NULL;

		CHECK(json_object_object_get_ex(said, "error", &error));
		CHECK_TEXT(json_object_get_string(error), cases[i].error);
		json_object_put(said);
		/* the old link stays */
		CHECK_EQUAL(control.link->config.seed, 1704381886358269);
		CHECK_EQUAL(control.link->bottlenecks[DOWN]->step_count, 2);
	}

	/* for an unknown kind the error lists all kinds */
	const char *said = ask("{\"set\":{\"seed\":1,\"overheadBytes\":0,\"paths\":[],\"bottleneck\":{\"rateBps\":1,"
	                       "\"limitPackets\":null,\"limitBytes\":null,\"aqm\":{\"kind\":\"none\"}}}}");

	CHECK(strstr(said, "{\"error\":\"set.bottleneck.aqm.kind: must be one of \\\"") == said);
	for (int i = 0; discipline_names[i]; i++)
		CHECK(strstr(said, discipline_names[i]));
}

static void traces(void)
{
	char file[] = "/tmp/coexist-link-test-XXXXXX", request[400], expected[400];
	int descriptor = mkstemp(file);
	FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");

	CHECK(stream);
	snprintf(request, sizeof(request),
	         "{\"set\":{\"seed\":1,\"overheadBytes\":0,\"paths\":[],"
	         "\"bottleneck\":{\"rateBps\":1,\"limitPackets\":null,\"limitBytes\":null,"
	         "\"aqm\":{\"kind\":\"fifo\"},\"trace\":{\"file\":\"%s\"}}}}",
	         file);
	snprintf(expected, sizeof(expected),
	         "{\"error\":\"set.bottleneck.trace.file: is no trace in the emulator's format\"}");
	CHECK_TEXT(ask(request), expected);
	fwrite(TRACE_MAGIC "\1\0\0\0\7\0\0", 1, 16, stream);
	fclose(stream);
	CHECK_TEXT(ask(request), "{\"set\":true}");
	CHECK_EQUAL(control.link->bottlenecks[DOWN]->trace->count, 2);
	CHECK_TEXT(ask("{\"rate\":{\"rateBps\":5}}"), "{\"error\":\"rate: there is no bottleneck with a rate\"}");
	CHECK_TEXT(ask(request), "{\"set\":true}");
	remove(file);
	CHECK_TEXT(ask(request), "{\"error\":\"set.bottleneck.trace.file: No such file or directory\"}");
	snprintf(request, sizeof(request),
	         "{\"set\":{\"seed\":1,\"overheadBytes\":0,\"paths\":[],"
	         "\"bottleneck\":{\"rateBps\":1,\"limitPackets\":null,\"limitBytes\":null,"
	         "\"aqm\":{\"kind\":\"fifo\"},\"trace\":{\"file\":\"/tmp\"}}}}");
	CHECK_TEXT(ask(request), "{\"error\":\"set.bottleneck.trace.file: is not a regular file\"}");
	CHECK_EQUAL(control.link->bottlenecks[DOWN]->trace->count, 2);
}

static void requests(void)
{
	static const char not_json[] = "{\"error\":\"not JSON: ";
	static const struct {
		const char *request, *answer;
	} cases[] = {
		{ "{\"start\":true}", "{\"started\":true,\"timeNs\":77}" },
		{ "{\"rate\":{\"rateBps\":1e7}}", "{\"rate\":true}" },
		{ "{\"rate\":{\"rateBps\":0}}", "{\"error\":\"rate.rateBps: must be more than 0\"}" },
		{ "{\"rate\":5}", "{\"error\":\"rate: must be an object\"}" },
		{ "{\"rate\":{\"rateBps\":1,\"x\":1}}", "{\"error\":\"rate.x: is not known here\"}" },
		{ "{\"limit\":{\"limitPackets\":0,\"limitBytes\":null}}",
		  "{\"error\":\"limit.limitPackets: must be at least 1\"}" },
		{ "{\"limit\":{\"limitPackets\":7}}", "{\"error\":\"limit.limitBytes: must be a number or null\"}" },
		{ "{\"limit\":7}", "{\"error\":\"limit: must be an object\"}" },
		{ "{\"loss\":{\"kind\":\"independent\",\"ratio\":2,\"where\":\"before\"}}",
		  "{\"error\":\"loss.ratio: must be at most 1\"}" },
		{ "{\"loss\":true}", "{\"error\":\"loss: must be an object\"}" },
		{ "{\"start\":1}", "{\"error\":\"start: must be true\"}" },
		{ "{\"read\":null}", "{\"error\":\"read: must be true\"}" },
		{ "{\"set\":true}", "{\"error\":\"set: must be an object\"}" },
		{ "{\"stop\":true}",
		  "{\"error\":\"stop: is not known here; requests are set, start, rate, limit, loss, read\"}" },
		{ "{\"\\\"\\u00e9\":true}",
		  "{\"error\":\"\\\"??: is not known here; requests are set, start, rate, limit, loss, read\"}" },
		{ "{}",
		  "{\"error\":\"a request is an object with one field: set, start, rate, limit, loss or read\"}" },
		{ "{\"read\":true,\"start\":true}",
		  "{\"error\":\"a request is an object with one field: set, start, rate, limit, loss or read\"}" },
		{ "[]",
		  "{\"error\":\"a request is an object with one field: set, start, rate, limit, loss or read\"}" },
		{ "{\"read\":true", "{\"error\":\"not JSON: " },
		{ "{\"read\":\"tr", "{\"error\":\"not JSON: " },
		{ "", "{\"error\":\"not JSON: " },
		{ "nope", "{\"error\":\"not JSON: " },
		{ "null",
		  "{\"error\":\"a request is an object with one field: set, start, rate, limit, loss or read\"}" },
		{ "{\"read\":true}x", "{\"error\":\"not JSON: " },
		{ "{\"read\":true,}", "{\"error\":\"not JSON: " },
		{ "{\"rate\":{\"rateBps\":010}}", "{\"error\":\"not JSON: " },
		{ "{\"rate\":{\"rateBps\":NaN}}", "{\"error\":\"rate.rateBps: must be a number\"}" },
		{ "{\"rate\":{\"rateBps\":1e999}}", "{\"error\":\"rate.rateBps: must be a number\"}" },
		{ "{\"rate\":{\"rateBps\":100000000000000000000000000}}",
		  "{\"error\":\"rate.rateBps: must be at most 100000000000\"}" },
		{ "{\"read\":\"\xff\"}", "{\"error\":\"not JSON: " },
		{ "{\"read\":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}", "{\"error\":\"not JSON: " },
	};

	CHECK_TEXT(ask(whole), "{\"set\":true}");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *said = ask_at(cases[i].request, 77);

		/* for invalid JSON the answer has json-c's text, which differs between versions */
		if (strncmp(cases[i].answer, not_json, strlen(not_json)) == 0)
			CHECK(strncmp(said, not_json, strlen(not_json)) == 0 && strstr(said, ", at byte "));
		else
			CHECK_TEXT(said, cases[i].answer);
	}
	/* a line with more text after a NUL */
	text_remove(&answer, answer.length);
	control_answer(&control, "{\"read\":true}\0", 14, 77, &answer);
	CHECK(strncmp(answer.bytes, not_json, strlen(not_json)) == 0);
}

/* Changes of a link that carries packets: no packet is lost, and the generators continue. */
static void changes(void)
{
	static const char losing[] = "{\"loss\":{\"kind\":\"independent\",\"ratio\":1,\"where\":\"before\"}}";
	const struct link *link = control.link;
	struct packet *packet;

	CHECK_TEXT(ask("{\"set\":{\"seed\":0,\"overheadBytes\":0,\"paths\":[],\"bottleneck\":null}}"),
	           "{\"set\":true}");
	CHECK_TEXT(ask("{\"limit\":{\"limitPackets\":7,\"limitBytes\":null}}"),
	           "{\"error\":\"limit: there is no bottleneck\"}");
	CHECK_TEXT(ask(whole), "{\"set\":true}");
	for (int i = 0; i < 3; i++) {
		packet = link_take(control.link);
		fill(packet, &media);
		link_arrive(control.link, packet, DOWN, 5);
	}

	uint32_t waiting = link_waiting(link);

	CHECK(waiting > 0);
	CHECK_TEXT(ask("{\"limit\":{\"limitPackets\":1,\"limitBytes\":null}}"), "{\"limit\":true}");
	CHECK_EQUAL(link->bottlenecks[DOWN]->queue->config.limit_packets, 1);
	CHECK_TEXT(ask("{\"limit\":{\"limitPackets\":null,\"limitBytes\":3000}}"), "{\"limit\":true}");
	CHECK(link->bottlenecks[DOWN]->queue->config.limit_packets == NEVER);
	CHECK_EQUAL(link->bottlenecks[DOWN]->queue->config.limit_bytes, 3000);
	CHECK_TEXT(ask("{\"limit\":{\"limitPackets\":null,\"limitBytes\":null,\"limitUs\":20000}}"),
	           "{\"limit\":true}");
	CHECK_EQUAL(link->bottlenecks[DOWN]->queue->config.limit_ns, 20000000);
	CHECK_TEXT(ask("{\"rate\":{\"rateBps\":5,\"direction\":\"up\"}}"),
	           "{\"error\":\"rate: there is no bottleneck with a rate\"}");
	CHECK_TEXT(ask("{\"limit\":{\"limitPackets\":7,\"limitBytes\":null,\"direction\":\"left\"}}"),
	           "{\"error\":\"limit.direction: must be one of \\\"down\\\", \\\"up\\\"\"}");
	CHECK_TEXT(ask(losing), "{\"loss\":true}");
	CHECK_EQUAL(link_waiting(link), waiting);
	packet = link_take(control.link);
	fill(packet, &media);
	link_arrive(control.link, packet, DOWN, 6);
	CHECK_EQUAL(link_waiting(link), waiting);
	CHECK_EQUAL(link->paths[1].config.loss.kind, LOSS_GILBERT_ELLIOTT); /* the return path is unchanged */
	CHECK_TEXT(ask("{\"loss\":null}"), "{\"loss\":true}");
	CHECK_EQUAL(link->paths[0].config.loss.kind, LOSS_NONE);
}

static void counters(void)
{
	struct packet *packet;

	CHECK_TEXT(ask(whole), "{\"set\":true}");
	packet = link_take(control.link);
	fill(packet, &media);
	link_arrive(control.link, packet, DOWN, 5);
	CHECK(strncmp(ask("{\"read\":true}"),
	              "{\"counters\":{\"paths\":[{\"direction\":\"down\",\"peer\":\"10.0.1.2\","
	              "\"inPackets\":1,\"inBytes\":1514,\"duplicatedPackets\":0,",
	              106)
	      == 0);

	json_object *said = json_tokener_parse(answer.bytes), *read = NULL, *flows = NULL;

	CHECK(json_object_object_get_ex(said, "counters", &read) && json_object_object_get_ex(read, "lateness", NULL));
	CHECK(json_object_object_get_ex(read, "flows", &flows));
	CHECK_EQUAL(json_object_array_length(flows), 1);
	json_object_put(said);
	lateness_add(&control.lateness, 5000);
	control.write_errors = 3;
	CHECK(strstr(ask("{\"read\":true}"), "\"lateness\":{\"p50Us\":5.0,\"p99Us\":5.0,\"maxUs\":5.0,\"packets\":1}"));
	CHECK(strstr(answer.bytes, "\"writeErrors\":3"));
	CHECK_TEXT(ask(whole), "{\"set\":true}");
	CHECK(strstr(ask("{\"read\":true}"), "\"inPackets\":0"));
	CHECK(strstr(answer.bytes, "\"lateness\":{\"p50Us\":0.0,\"p99Us\":0.0,\"maxUs\":0.0,\"packets\":0}"));
	CHECK(strstr(answer.bytes, "\"writeErrors\":0"));
}

int main(void)
{
	control.link = link_create(100, &(struct link_observer){});
	CHECK(control.link);
	test("a configuration with every field arrives as it was meant", everything);
	test("what is left out has the value of its RFC", defaults);
	test("the way back has a bottleneck of its own, which is changed and counted apart", way_back);
	test("a wrong value is refused by the name of its place, and the old configuration stays", wrong_values);
	test("a trace is read from its file, or refused with the reason", traces);
	test("every other request has its answer, and what is none an error", requests);
	test("limits and losses change under way, and nothing that waits goes", changes);
	test("the counters are JSON, and at zero after set", counters);
	link_destroy(control.link);
	free(answer.bytes);
	return tests_done("control");
}
