import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readRtcp } from '../../server/rtp/rtcp-reader.ts';

type Golden = { messages: { rtcp: string; count: number; base: number; receivedUs: (number | null)[] }[] };
const { messages: golden } = JSON.parse(
  readFileSync(new URL('transport-feedback.json', import.meta.url), 'utf8'),
) as Golden;

test('what Chromium sent is decoded as tshark decodes it', () => {
  assert.ok(golden.length >= 20);
  for (const { rtcp, count, base, receivedUs } of golden) {
    assert.deepEqual(readRtcp(Buffer.from(rtcp, 'hex')), {
      messages: [
        {
          kind: 'transport-feedback',
          feedback: { count, packets: receivedUs.map((us, i) => ({ sequence: (base + i) % 65536, receivedUs: us })) },
        },
      ],
      malformed: undefined,
    });
  }
});

test('the messages hold losses, arrivals out of order, gaps that need a large delta, and a wrap', () => {
  const all = golden.map(({ receivedUs }) => receivedUs.filter(us => us !== null));
  const steps = all.flatMap(times => times.slice(1).map((us, i) => us - times[i]!));
  assert.ok(golden.some(({ receivedUs }) => receivedUs.includes(null)));
  assert.ok(steps.some(us => us < 0) && steps.some(us => us > 255 * 250));
  assert.ok(golden.some(({ base, receivedUs }) => base + receivedUs.length > 65536));
});

test('cut short by more than its padding, not one of them is taken for whole', () => {
  for (const { rtcp } of golden) {
    const bytes = Buffer.from(rtcp, 'hex');
    for (let length = 8; length < bytes.length - 4; length += 4) {
      const cut = Buffer.from(bytes.subarray(0, length));
      cut.writeUInt16BE(length / 4 - 1, 2);
      cut[0]! &= ~0x20;
      assert.deepEqual(readRtcp(cut), { messages: [], malformed: 'body of type 205, format 15' }, rtcp);
    }
  }
});
