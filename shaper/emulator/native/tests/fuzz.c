/* SPDX-License-Identifier: MIT */
/*
 * Fuzz test with random control lines, traces, tables and packets, the same in every run. The program must not crash, hang,
 * leak or skip an answer.
 *
 *   fuzz [RUNS [SEED]]
 */
#include <json-c/json.h>
#include "control.h"
#include "core/random.h"
#include "support.h"

static const char *const lines[] = {
	"{\"set\":{\"seed\":1,\"overheadBytes\":14,"
	"\"paths\":[{\"direction\":\"down\",\"peer\":\"10.0.1.2\",\"delayUs\":25000,\"jitter\":{\"maxUs\":5000},"
	"\"loss\":{\"kind\":\"independent\",\"ratio\":0.02,\"where\":\"before\"},"
	"\"reorder\":{\"ratio\":0.01,\"delayUs\":3000},\"duplicateRatio\":0.001}],"
	"\"bottleneck\":{\"rateBps\":40000000,\"limitPackets\":1000,\"limitBytes\":null,"
	"\"aqm\":{\"kind\":\"fq-codel\",\"flows\":64},\"ecn\":true,"
	"\"schedule\":[{\"atUs\":0,\"rateBps\":1e7,\"rampUs\":5}]}}}",
	"{\"set\":{\"seed\":2,\"overheadBytes\":0,"
	"\"paths\":[{\"direction\":\"up\",\"peer\":\"10.0.1.2\",\"delayUs\":0,"
	"\"loss\":{\"kind\":\"gilbert-elliott\",\"toBadRatio\":0.1,\"toGoodRatio\":0.3,"
	"\"badLossRatio\":0.5,\"goodLossRatio\":0,\"where\":\"after\"}}],\"bottleneck\":null}}",
	"{\"set\":{\"seed\":3,\"overheadBytes\":14,\"paths\":[],"
	"\"bottleneck\":{\"rateBps\":1,\"limitPackets\":null,\"limitBytes\":9,"
	"\"aqm\":{\"kind\":\"dualpi2\",\"coupling\":2},\"ecn\":true}}}",
	"{\"set\":{\"seed\":3,\"overheadBytes\":14,"
	"\"paths\":[{\"direction\":\"down\",\"peer\":\"10.0.1.2\",\"delayUs\":1}],"
	"\"bottleneck\":{\"rateBps\":1e6,\"limitPackets\":10,\"limitBytes\":null,"
	"\"aqm\":{\"kind\":\"pie\"},\"trace\":null}}}",
	"{\"set\":{\"seed\":4,\"overheadBytes\":14,"
	"\"paths\":[{\"direction\":\"down\",\"peer\":\"10.0.1.2\",\"delayUs\":1}],"
	"\"bottleneck\":{\"rateBps\":1e6,\"limitPackets\":10,\"limitBytes\":null,"
	"\"aqm\":{\"kind\":\"confucius-like\",\"flows\":3,\"halvingUs\":100,\"forgetUs\":100}}}}",
	"{\"start\":true}",
	"{\"rate\":{\"rateBps\":1e7}}",
	"{\"read\":true}",
	"{\"\\u00e9\\ud83d\\ude00\":\"\\n\"}",
	"[1,-2.5e3,true,false,null]",
};
/* Traces that contain no byte 0, since `mutate` takes texts. */
static const char *const traces[] = { TRACE_MAGIC "\1\1\1\1\2\1\1\1\2\1\1\1", TRACE_MAGIC "\xff\xff\xff\xff",
	                              TRACE_MAGIC "\7\7\7\7\6\6\6\7" };
static const char *const pieces[] = { "{",        "}",      "[",     "]", ",",   ":",    "\"", "\\",           "null",
	                              "true",     "-",      "1e308", "0", "\\u", "\xff", "\n", "999999999999", "0.5",
	                              "[[[[[[[[", "{\"a\":" };

static uint64_t seed, drawn;

static uint64_t draw(uint64_t below)
{
	return random_output(seed, drawn++) % below;
}

/*
 * Writes a copy of `from` with up to eight changes: bytes flipped, removed, doubled, or replaced by a piece of
 * syntax. `room`: size of `to`. Returns the length.
 */
static size_t mutate(const char *from, char *to, size_t room)
{
	size_t length = strlen(from);

	memcpy(to, from, length);
	for (uint64_t changes = draw(9); changes > 0; changes--) {
		size_t at = length ? draw(length) : 0, part = length ? draw(length - at < 40 ? length - at : 40) : 0;
		const char *piece = pieces[draw(sizeof(pieces) / sizeof(pieces[0]))];

		switch (draw(4)) {
		case 0:
			if (length)
				to[at] = (char)draw(256);
			break;
		case 1:
			memmove(to + at, to + at + part, length - at - part);
			length -= part;
			break;
		case 2:
			if (length + part > room)
				break;
			memmove(to + at + part, to + at, length - at);
			length += part;
			break;
		default:
			if (length + strlen(piece) > room)
				break;
			memmove(to + at + strlen(piece), to + at, length - at);
			memcpy(to + at, piece, strlen(piece));
			length += strlen(piece);
		}
	}
	return length;
}

static struct log log_state = { .file = -1 };
static struct control control = { .log = &log_state };
static struct text answer;
static uint64_t answered_true, refused, good_traces, good_tables, packets, now_ns;

static void one_line(void)
{
	char line[4096];
	size_t length = mutate(lines[draw(sizeof(lines) / sizeof(lines[0]))], line, sizeof(line));
	/* a buffer of the exact size, so that the sanitizer detects an overrun */
	char *own = malloc(length + 1);

	CHECK(own);
	memcpy(own, line, length);
	own[length] = '\0';
	text_remove(&answer, answer.length);
	control_answer(&control, own, length, now_ns, &answer);
	free(own);
	CHECK(answer.length > 2 && answer.bytes[0] == '{'
	      && memchr(answer.bytes, '\n', answer.length) == answer.bytes + answer.length - 1);
	if (strncmp(answer.bytes, "{\"error\":", 9) == 0)
		refused++;
	else
		answered_true++;

	answer.bytes[answer.length - 1] = '\0';

	json_object *said = json_tokener_parse(answer.bytes);

	CHECK(said);
	json_object_put(said);
}

static void one_trace(void)
{
	char text[1024], error[256] = "";
	size_t length = mutate(traces[draw(sizeof(traces) / sizeof(traces[0]))], text, sizeof(text));
	unsigned char *own = malloc(length ? length : 1);
	struct trace *trace;

	CHECK(own);
	memcpy(own, text, length);
	trace = trace_read(own, length, error, sizeof(error));
	free(own);
	CHECK(!trace == (error[0] != '\0'));
	if (!trace)
		return;
	good_traces++;

	uint64_t time_ns = draw(1ULL << 50), n = trace_after(trace, time_ns);

	CHECK(trace_ns(trace, n) > time_ns && (n == 0 || trace_ns(trace, n - 1) <= time_ns));
	free(trace);
}

/* Parses a table whose numbers are small and whose bytes are then changed. */
static void one_table(void)
{
	unsigned char bytes[256] = TABLE_MAGIC;
	uint32_t rows = (uint32_t)draw(3);
	size_t length = 32 + rows * (24 + 16 + 24);
	char error[256] = "";

	bytes[10] = (unsigned char)(draw(2) * 0x20); /* the period: none, or 2 ms */
	bytes[16] = bytes[20] = bytes[24] = (unsigned char)rows;
	bytes[28] = (unsigned char)draw(2);
	for (uint32_t i = 0; i < rows; i++) {
		bytes[32 + i * 24] = bytes[32 + rows * 24 + i * 16] = bytes[32 + rows * 40 + i * 24] = (unsigned char)i;
		bytes[32 + i * 24 + 15] = 0x41; /* some millions of bit/s */
	}
	for (uint64_t changes = draw(3); changes > 0; changes--)
		bytes[draw(length)] = (unsigned char)draw(256);

	unsigned char *own = malloc(length);

	CHECK(own);
	memcpy(own, bytes, length);

	struct table *table = table_read(own, length, error, sizeof(error));

	free(own);
	CHECK(!table == (error[0] != '\0'));
	if (!table)
		return;
	good_tables++;

	uint64_t time_ns = draw(1ULL << 50);

	CHECK(table_delay_ns(table, time_ns) <= 60 * second);
	CHECK(!table_loss(table, time_ns) == (table->loss_count == 0));
	if (table->rate_count > 0) {
		struct rate rate;
		double carry_ns = 0;

		rate_init(&rate, 1e6, table->rates, table->rate_count);
		rate.period_ns = table->period_ns;
		rate_start(&rate, second, draw(table->period_ns + 1));
		CHECK(rate_finish_ns(&rate, second, 1, &carry_ns) >= second);
	}
	table_free(table);
}

/* Sends random bytes. Only IPv4 packets pass, and none stays in the link for ever. */
static void one_packet(void)
{
	struct packet *packet = link_take(control.link);

	if (packet) {
		fill(packet, draw(2) ? &media : &flood);
		packet->length = (uint32_t)draw(PACKET_ROOM + 1);
		for (uint64_t changes = draw(4); changes > 0; changes--)
			packet->data[draw(24)] = (uint8_t)draw(256);
		link_arrive(control.link, packet, draw(2) ? UP : DOWN, now_ns);
		packets++;
	}
	now_ns += draw(3 * ms);
	while ((packet = link_leave(control.link, now_ns)))
		link_sent(control.link, packet, now_ns);
}

int main(int count, char **words)
{
	uint64_t runs = count > 1 ? strtoull(words[1], NULL, 10) : 100000;

	seed = mix64(count > 2 ? strtoull(words[2], NULL, 10) : 1);
	control.link = link_create(200, &(struct link_observer){});
	CHECK(control.link);
	for (uint64_t run = 0; run < runs; run++) {
		one_line();
		one_trace();
		one_table();
		one_packet();
	}
	/* a fuzz run without any valid input would prove nothing */
	CHECK(runs < 1000
	      || (answered_true > runs / 50 && refused > runs / 5 && good_traces > runs / 50 && good_tables > runs / 50
	          && packets > runs / 5));
	printf("ok fuzz: %llu lines (%llu refused), %llu traces, %llu packets\n", (unsigned long long)runs,
	       (unsigned long long)refused, (unsigned long long)runs, (unsigned long long)packets);
	link_destroy(control.link);
	free(answer.bytes);
	return 0;
}
