/* SPDX-License-Identifier: MIT */
/* Tests of requests that name the file of a table. */
#include "control.h"
#include "support.h"

static struct log log_state = { .file = -1 };
static struct control control = { .log = &log_state };
static struct text answer;

/* Sets a link with a table, and asks for `more` fields of its bottleneck. Returns the answer. */
static const char *ask_table(const char *file, const char *more)
{
	static char request[512];

	snprintf(request, sizeof(request),
	         "{\"set\":{\"seed\":1,\"overheadBytes\":0,\"paths\":[],"
	         "\"bottleneck\":{\"rateBps\":1,\"limitPackets\":null,\"limitBytes\":null,"
	         "\"aqm\":{\"kind\":\"fifo\"},\"table\":{\"file\":\"%s\"}%s}}}",
	         file, more);
	text_remove(&answer, answer.length);
	control_answer(&control, request, strlen(request), 0, &answer);
	CHECK(answer.length > 0 && answer.bytes[answer.length - 1] == '\n');
	answer.bytes[answer.length - 1] = '\0';
	return answer.bytes;
}

static void tables(void)
{
	/* one row: 1 bit/s from 0 */
	static const unsigned char table[] = TABLE_MAGIC "\0\0\0\0\0\0\0\0"
							 "\1\0\0\0"
							 "\0\0\0\0"
							 "\0\0\0\0"
							 "\0\0\0\0"
							 "\0\0\0\0\0\0\0\0"
							 "\0\0\0\0\0\0\xf0\x3f"
							 "\0\0\0\0\0\0\0";
	char file[] = "/tmp/coexist-table-XXXXXX";
	int descriptor = mkstemp(file);
	FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");

	CHECK(stream);
	CHECK_TEXT(ask_table(file, ""),
	           "{\"error\":\"set.bottleneck.table.file: is no table in the emulator's format\"}");
	fwrite(table, 1, sizeof(table), stream);
	fclose(stream);
	CHECK_TEXT(ask_table(file, ",\"offsetUs\":5"), "{\"set\":true}");
	CHECK_EQUAL(control.link->bottlenecks[DOWN]->table->rate_count, 1);
	CHECK_EQUAL(control.link->bottlenecks[DOWN]->offset_ns, 5000);
	CHECK_TEXT(ask_table(file, ",\"offsetUs\":-1"), "{\"error\":\"set.bottleneck.offsetUs: must be at least 0\"}");
	CHECK_TEXT(ask_table(file, ",\"schedule\":[{\"atUs\":0,\"rateBps\":1}]"),
	           "{\"error\":\"set.bottleneck.table: cannot give rates together with a schedule or a trace\"}");
	CHECK_TEXT(ask_table("/tmp", ""), "{\"error\":\"set.bottleneck.table.file: is not a regular file\"}");
	CHECK_EQUAL(control.link->bottlenecks[DOWN]->table->rate_count, 1);
	remove(file);
}

int main(void)
{
	control.link = link_create(4, &(struct link_observer){});
	CHECK(control.link);
	test("a table is read from its file, or refused with the reason", tables);
	link_destroy(control.link);
	free(answer.bytes);
	return tests_done("control-table");
}
