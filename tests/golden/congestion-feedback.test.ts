import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readRtcp } from '../../server/rtp/rtcp-reader.ts';

type Golden = {
  messages: {
    rtcp: string;
    timestamp: number;
    streams: { ssrc: number; packets: [number, (number | string)?, string?][] }[];
  }[];
};
const { messages: golden } = JSON.parse(
  readFileSync(new URL('congestion-feedback.json', import.meta.url), 'utf8'),
) as Golden;

test("what the RFC's figure says is what is read", () => {
  for (const { rtcp, timestamp, streams } of golden) {
    const expected = streams.map(({ ssrc, packets }) => ({
      ssrc,
      packets: packets.map(([sequence, offset, ecn]) => ({
        sequence,
        arrival: offset === undefined ? null : { offset, ecn },
      })),
    }));
    assert.deepEqual(
      readRtcp(Buffer.from(rtcp.replaceAll(' ', ''), 'hex')),
      {
        messages: [{ kind: 'congestion-feedback', feedback: { streams: expected, timestamp } }],
        malformed: undefined,
      },
      rtcp,
    );
  }
});
