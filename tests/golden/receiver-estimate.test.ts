import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type RtcpMessage, readRtcp } from '../../server/rtp/rtcp-reader.ts';

type Golden = { packets: { rtcp: string; messages: RtcpMessage[] }[] };
const { packets } = JSON.parse(readFileSync(new URL('receiver-estimate.json', import.meta.url), 'utf8')) as Golden;

test('REMB messages are read as others read them', () => {
  assert.ok(packets.length > 0);
  for (const { rtcp, messages } of packets)
    assert.deepEqual(readRtcp(Buffer.from(rtcp, 'hex')), { messages, malformed: undefined });
});

test('cut short by a word, none of them is taken for whole', () => {
  for (const { rtcp } of packets) {
    for (let length = Buffer.from(rtcp, 'hex').length - 4; length >= 16; length -= 4) {
      const cut = Buffer.from(rtcp, 'hex').subarray(0, length);
      cut.writeUInt16BE(length / 4 - 1, 2);
      assert.deepEqual(readRtcp(cut), { messages: [], malformed: 'body of type 206, format 15' }, rtcp);
    }
  }
});
