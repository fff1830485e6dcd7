/* SPDX-License-Identifier: MIT */
/* How far apart packets leave a program that is woken late now and then. */
#include "core/spacing.h"
#include "support.h"

enum { PACKETS = 20000 };

/* 1514 bytes at 40 Mbit/s */
static const uint64_t service_ns = 302800;

static uint64_t sent_ns[PACKETS];

/*
 * Packets that are due one service time after the other. `late_ns` of each: how much later than it may be sent the
 * program comes to it. It looks again when it may: a packet that may not be sent yet is waited for.
 */
static void send_all(uint64_t (*late_ns)(uint32_t number), uint32_t count)
{
	struct spacing spacing = {};
	uint64_t now_ns = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct packet packet = { .time_ns = (i + 10) * service_ns, .service_ns = service_ns };
		uint64_t when_ns = spacing_send_ns(&spacing, &packet, now_ns);

		if (when_ns > now_ns)
			now_ns = when_ns + late_ns(i);
		/* being later, it may be allowed to make up for more */
		when_ns = spacing_send_ns(&spacing, &packet, now_ns);
		CHECK(when_ns <= now_ns && when_ns >= packet.time_ns);
		spacing_sent(&spacing, when_ns, now_ns);
		sent_ns[i] = now_ns;
	}
}

static uint64_t due_ns(uint32_t number)
{
	return (number + 10) * service_ns;
}

static uint64_t never(uint32_t number)
{
	(void)number;
	return 0;
}

static void in_time(void)
{
	send_all(never, 100);
	for (uint32_t i = 0; i < 100; i++)
		CHECK_EQUAL(sent_ns[i], due_ns(i));
}

static uint64_t once_200_us(uint32_t number)
{
	return number == 10 ? 200 * us : 0;
}

static void made_up_for(void)
{
	send_all(once_200_us, 100);
	CHECK_EQUAL(sent_ns[10], due_ns(10) + 200 * us);
	for (uint32_t i = 11; i < 100; i++)
		CHECK(sent_ns[i] - sent_ns[i - 1] >= service_ns * 9 / 10);
	/* a tenth of 303 us by the first, since the wake-up may be made up for at once, then a 24th by each */
	CHECK(sent_ns[24] > due_ns(24));
	CHECK_EQUAL(sent_ns[25], due_ns(25));
}

static uint64_t every_third_50_us(uint32_t number)
{
	return number % 3 == 0 ? 50 * us : 0;
}

static void wake_ups(void)
{
	send_all(every_third_50_us, PACKETS);
	for (uint32_t i = 1; i < PACKETS; i++) {
		CHECK(sent_ns[i] - sent_ns[i - 1] >= service_ns * 9 / 10);
		CHECK(sent_ns[i] - due_ns(i) <= 100 * us);
	}
}

static uint64_t state;

static uint64_t any_to_80_us(uint32_t number)
{
	if (number == 0)
		state = 7;
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % (80 * us);
}

static void the_rate_is_kept(void)
{
	send_all(any_to_80_us, PACKETS);
	for (uint32_t i = 1; i < PACKETS; i++) {
		CHECK(sent_ns[i] - sent_ns[i - 1] >= service_ns * 3 / 4);
		CHECK(sent_ns[i] - due_ns(i) < 3000 * us);
	}
}

static uint64_t once_2_ms(uint32_t number)
{
	return number == 10 ? 2000 * us : 0;
}

static void behind(void)
{
	send_all(once_2_ms, 300);
	for (uint32_t i = 11; i < 300; i++) {
		uint64_t apart_ns = sent_ns[i] - sent_ns[i - 1];

		CHECK(apart_ns >= service_ns * 3 / 4);
		if (sent_ns[i] - due_ns(i) <= 200 * us)
			CHECK(apart_ns >= service_ns * 9 / 10 - 1);
	}
	CHECK_EQUAL(sent_ns[200], due_ns(200));
}

static uint64_t once_8_ms(uint32_t number)
{
	return number == 10 ? 8000 * us : 0;
}

static void stopped(void)
{
	send_all(once_8_ms, 800);
	/* what is more than 5 ms late leaves with it */
	CHECK_EQUAL(sent_ns[11], sent_ns[10]);
	CHECK_EQUAL(sent_ns[18], sent_ns[10]);
	CHECK(sent_ns[22] > sent_ns[10]);
	CHECK_EQUAL(sent_ns[600], due_ns(600));
}

int main(void)
{
	test("who is woken in time sends each packet when it is due", in_time);
	test("after one that was late the next ones make up for it, a 24th of their time each", made_up_for);
	test("wake-ups that are a little late now and then bring no two packets together, and nothing falls behind",
	     wake_ups);
	test("with every wake-up late by up to 80 us the rate is kept", the_rate_is_kept);
	test("2 ms behind, no two packets come together, and it is made up for", behind);
	test("who was stopped by the machine sends all that is due at once", stopped);
	return tests_done("spacing");
}
