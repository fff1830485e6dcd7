import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type RtcpMessage, readRtcp } from '../../server/rtp/rtcp-reader.ts';

type Golden = { packets: { rtcp: string; messages: RtcpMessage[] }[] };
const { packets } = JSON.parse(readFileSync(new URL('receiver-rtcp.json', import.meta.url), 'utf8')) as Golden;

test('reports, NACKs and PLIs of Chromium are read as tshark reads them', () => {
  assert.ok(packets.length > 0);
  for (const { rtcp, messages } of packets)
    assert.deepEqual(readRtcp(Buffer.from(rtcp, 'hex')), { messages, malformed: undefined });
});
