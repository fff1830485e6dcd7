import assert from 'node:assert/strict';
import { test } from 'node:test';
import { within } from '../../../../core/system/deadline.ts';
import { readRtcp } from '../../../../server/rtp/rtcp-reader.ts';
import { Loopback } from '../../../../server/transport/loopback.ts';

test('nobody reports every packet as received, in order', async () => {
  const loopback = new Loopback();
  const heard: Buffer[] = [];
  const second = new Promise<void>(resolve => {
    loopback.onRtcp = bytes => {
      heard.push(bytes);
      if (heard.length === 2) resolve();
    };
  });
  for (let sequence = 0; sequence < 75; sequence++) {
    const size = loopback.sendRtp(
      {
        ssrc: 1,
        payloadType: 108,
        sequence,
        timestamp: 0,
        marker: false,
        extensions: [{ id: 3, payload: Buffer.from([0, sequence]) }],
      },
      Buffer.alloc(100),
    );
    assert.ok(size > 100 + 12 + 28, 'payload, header, SRTP tag, UDP and IP');
  }
  await within(second, 30_000, 'two reports');
  const packets = heard.flatMap(bytes => {
    const { messages, malformed } = readRtcp(bytes);
    assert.equal(malformed, undefined);
    const [message] = messages;
    assert.ok(message?.kind === 'transport-feedback');
    return message.feedback.packets;
  });
  assert.deepEqual(
    packets.map(packet => packet.sequence),
    Array.from({ length: 60 }, (_, i) => i),
  );
  assert.ok(
    packets.every(
      (packet, i) => packet.receivedUs !== null && (i === 0 || packet.receivedUs > packets[i - 1]!.receivedUs!),
    ),
  );
});
