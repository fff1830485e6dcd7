/* SPDX-License-Identifier: MIT */
/* Tests of requests that name the file of a table. */
#include "control.h"
#include "support.h"

#include <unistd.h>

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

/* Writes the table to a new file and returns its path, which is valid until the next call. */
static const char *write_table(void)
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
	static char file[64];

	snprintf(file, sizeof(file), "/tmp/coexist-table-XXXXXX");
	int descriptor = mkstemp(file);
	FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");

	CHECK(stream);
	fwrite(table, 1, sizeof(table), stream);
	fclose(stream);
	return file;
}

static void other_files(void)
{
	char file[] = "/tmp/coexist-table-XXXXXX";
	int descriptor = mkstemp(file);

	CHECK(descriptor >= 0);
	close(descriptor);
	CHECK_TEXT(ask_table(file, ""),
	           "{\"error\":\"set.bottleneck.table.file: is no table in the emulator's format\"}");
	remove(file);
	CHECK_TEXT(ask_table("/tmp", ""), "{\"error\":\"set.bottleneck.table.file: is not a regular file\"}");
}

static void whole_table(void)
{
	const char *file = write_table();

	CHECK_TEXT(ask_table(file, ",\"offsetUs\":5"), "{\"set\":true}");
	CHECK_EQUAL(control.link->bottlenecks[DOWN]->table->rate_count, 1);
	CHECK_EQUAL(control.link->bottlenecks[DOWN]->offset_ns, 5000);
	remove(file);
}

static void other_fields(void)
{
	const char *file = write_table();

	CHECK_TEXT(ask_table(file, ",\"offsetUs\":-1"), "{\"error\":\"set.bottleneck.offsetUs: must be at least 0\"}");
	CHECK_TEXT(ask_table(file, ",\"schedule\":[{\"atUs\":0,\"rateBps\":1}]"),
	           "{\"error\":\"set.bottleneck.table: cannot give rates together with a schedule or a trace\"}");
	remove(file);
}

static void refused_after_set(void)
{
	const char *file = write_table();

	CHECK_TEXT(ask_table(file, ",\"offsetUs\":5"), "{\"set\":true}");
	CHECK_TEXT(ask_table("/tmp", ""), "{\"error\":\"set.bottleneck.table.file: is not a regular file\"}");
	CHECK_EQUAL(control.link->bottlenecks[DOWN]->table->rate_count, 1);
	CHECK_EQUAL(control.link->bottlenecks[DOWN]->offset_ns, 5000);
	remove(file);
}

int main(void)
{
	control.link = link_create(4, &(struct link_observer){});
	CHECK(control.link);
	test("a file that is no table is refused with the reason", other_files);
	test("a table is read from its file", whole_table);
	test("fields that a table excludes are refused", other_fields);
	test("a refused request leaves the link as it was", refused_after_set);
	link_destroy(control.link);
	free(answer.bytes);
	return tests_done("control-table");
}
