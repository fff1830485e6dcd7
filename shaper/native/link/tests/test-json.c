/* SPDX-License-Identifier: MIT */
/* The parser of the control line. */
#include "json.h"
#include "support.h"

static struct json_document document;
static char *text;

static const struct json *parse_bytes(const char *bytes, size_t length)
{
	/* of its own size, so that reading past the end is noticed */
	free(text);
	text = malloc(length + 1);
	CHECK(text);
	memcpy(text, bytes, length);
	text[length] = '\0';
	return json_parse(&document, text, length);
}

static const struct json *parse(const char *string)
{
	return parse_bytes(string, strlen(string));
}

static void values(void)
{
	const struct json *json = parse(" {\"a\": [1, -2.5e3, true, false, null, \"x\", {}, []], \"b\" : {\"c\":0}} ");

	CHECK(json && json->kind == JSON_OBJECT);

	const struct json *item = json_member(json, "a")->first;
	static const enum json_kind kinds[] = { JSON_NUMBER, JSON_NUMBER, JSON_TRUE,   JSON_FALSE,
		                                JSON_NULL,   JSON_STRING, JSON_OBJECT, JSON_ARRAY };

	for (int i = 0; i < 8; i++, item = item->next)
		CHECK_EQUAL(item->kind, kinds[i]);
	CHECK(!item);
	CHECK_NEAR(json_member(json, "a")->first->next->number, -2500, 0);
	CHECK_NEAR(json_member(json_member(json, "b"), "c")->number, 0, 0);
	CHECK(!json_member(json, "c"));
}

static void numbers(void)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = {
		{ "0", 0 },     { "-0", 0 },       { "10", 10 },    { "9007199254740991", 9007199254740991.0 },
		{ "0.5", 0.5 }, { "1e-3", 0.001 }, { "1E+2", 100 }, { "40000000", 4e7 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_NEAR(parse(cases[i].text)->number, cases[i].value, 0);
}

static void strings(void)
{
	CHECK_TEXT(parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20ac\\ud83d\\ude00\"")->text,
	           "\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
	CHECK_TEXT(parse("\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"")->text, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
	CHECK_TEXT(parse("\"\"")->text, "");
}

static void refused(void)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "", "a value was expected" },
		{ "nope", "a value was expected" },
		{ "tru", "a value was expected" },
		{ "{", "a string was expected" },
		{ "{\"a\"}", "\":\" was expected" },
		{ "{\"a\":1,}", "a string was expected" },
		{ "{\"a\":1 \"b\":2}", "\",\" or \"}\" was expected" },
		{ "[1,]", "a value was expected" },
		{ "[1 2]", "\",\" or \"]\" was expected" },
		{ "{\"a\":1,\"a\":2}", "the same name twice in an object" },
		{ "{}x", "something stands after the value" },
		{ "01", "something stands after the value" },
		{ "+1", "a value was expected" },
		{ ".5", "a value was expected" },
		{ "1.", "a digit was expected" },
		{ "1e", "a digit was expected" },
		{ "-", "a value was expected" },
		{ "0x10", "something stands after the value" },
		{ "NaN", "a value was expected" },
		{ "Infinity", "a value was expected" },
		{ "1e999", "a number that is too large" },
		{ "1000000000000000000000000000000000000000000", "a number with too many digits" },
		{ "\"a", "a string without end" },
		{ "\"\x01\"", "a control character in a string" },
		{ "\"\\x\"", "not a valid escape" },
		{ "\"\\u12\"", "not a valid escape" },
		{ "\"\\u0000\"", "not a valid escape" },
		{ "\"\\ud800\"", "not a valid escape" },
		{ "\"\\udc00\"", "not a valid escape" },
		{ "\"\\ud800\\u0041\"", "not a valid escape" },
		{ "\"\\", "not a valid escape" },
		{ "\"\xff\"", "not UTF-8" },
		{ "\"\xc0\x80\"", "not UTF-8" },
		{ "\"\xe0\x80\x80\"", "not UTF-8" },
		{ "\"\xed\xa0\x80\"", "not UTF-8" },
		{ "\"\xf4\x90\x80\x80\"", "not UTF-8" },
		{ "\"\xe2\x82", "not UTF-8" },
		{ "[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]", "nested too deeply" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK(!parse(cases[i].text));
		CHECK_TEXT(document.error, cases[i].error);
	}
	CHECK(!parse_bytes("1\0", 2));
	CHECK(!parse_bytes("{\"a\0\":1}", 8));
}

static void limits(void)
{
	static char many[3 * JSON_VALUES_MAX];
	size_t length = 0;

	CHECK(parse("[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]"));
	many[length++] = '[';
	for (int i = 0; i < JSON_VALUES_MAX - 1; i++) {
		many[length++] = '1';
		many[length++] = ',';
	}
	many[length - 1] = ']';
	CHECK(parse_bytes(many, length));
	many[length - 1] = ',';
	many[length++] = '1';
	many[length++] = ']';
	CHECK(!parse_bytes(many, length));
	CHECK_TEXT(document.error, "too many values");
}

int main(void)
{
	test("values of every kind are read", values);
	test("numbers are read exactly", numbers);
	test("strings are decoded", strings);
	test("what is not JSON, or not ours, is refused with the reason", refused);
	test("nesting and size have limits, which can be reached", limits);
	free(text);
	return tests_done("json");
}
