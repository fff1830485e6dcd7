import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extensionUri } from '../../../../server/rtp/header-extensions.ts';
import type { MediaConnection, RtpFields, StreamParameters } from '../../../../server/transport/connection.ts';
import { type Departure, type OutgoingPacket, RtpSender } from '../../../../server/transport/rtp-sender.ts';

const wireBytes = 100; // overhead of a packet on the wire

class FakePeer implements MediaConnection {
  onRtcp: (bytes: Buffer) => void = () => {};
  readonly sent: { fields: RtpFields; payload: Buffer }[] = [];
  closed = false;
  stream: StreamParameters = {
    ssrc: 0x1111,
    rtxSsrc: 0x2222,
    payloadType: 108,
    rtxPayloadType: 109,
    protection: undefined,
    mid: '0',
    extensions: new Map([
      [extensionUri.mid, 9],
      [extensionUri.absoluteSendTime, 2],
      [extensionUri.transportSequence, 4],
      [extensionUri.playoutDelay, 5],
    ]),
  };

  readonly voice = undefined;

  sendRtp(fields: RtpFields, payload: Buffer): number {
    if (this.closed) return 0;
    this.sent.push({ fields, payload });
    return payload.length + wireBytes;
  }

  sendRtcp(): void {}
}

function setUp({
  stream = {},
  playout,
  protectionRatio = 0,
}: {
  stream?: Partial<StreamParameters>;
  playout?: { minMs: number; maxMs: number };
  protectionRatio?: number;
} = {}) {
  const peer = new FakePeer();
  Object.assign(peer.stream, stream);
  const departures: Departure[] = [];
  const repairs: OutgoingPacket[] = [];
  const sender = new RtpSender(peer, playout, departure => departures.push(departure), {
    ratio: protectionRatio,
    onRepair: packet => repairs.push(packet),
  });
  const media = (frame: number, marker = false, bytes = 500): OutgoingPacket => ({
    kind: 'media',
    payload: Buffer.alloc(bytes, frame),
    sizeBytes: bytes + 80,
    queuedMs: 0,
    rtpTimestamp: 3000 * frame,
    marker,
    frame,
  });
  return {
    peer,
    sender,
    departures,
    repairs,
    media,
    last: () => peer.sent.at(-1)!,
    extension: (id: number) =>
      peer.sent
        .at(-1)!
        .fields.extensions.find(e => e.id === id)
        ?.payload.toString('hex'),
  };
}

test('media: sequence numbers, stream, marker and timestamp', () => {
  const { sender, peer, departures, media } = setUp();
  sender.send(media(1), 10, undefined);
  sender.send(media(1, true), 11, 3);
  const [first, second] = peer.sent.map(({ fields }) => fields);
  assert.equal(second!.sequence, (first!.sequence + 1) & 0xffff);
  assert.deepEqual(
    [second!.ssrc, second!.payloadType, second!.timestamp, second!.marker, second!.padding],
    [0x1111, 108, 3000, true, false],
  );
  assert.ok(first!.sequence < 2 ** 15);
  assert.deepEqual(
    departures.map(({ sent }) => sent),
    [
      { sequence: 0, sentMs: 10, sizeBytes: 600, kind: 'media', inFlightBytes: 600 },
      { sequence: 1, sentMs: 11, sizeBytes: 600, kind: 'media', probe: 3, inFlightBytes: 1200 },
    ],
  );
  assert.deepEqual(departures[1], {
    sent: departures[1]!.sent,
    rtpSequence: second!.sequence,
    rtpTimestamp: 3000,
    frame: 1,
    payloadBytes: 500,
  });
});

test('a retransmission is sent on its own stream, with the original number first', () => {
  const { sender, peer, departures, media } = setUp();
  sender.send(media(7, true), 10, undefined);
  const { sequence } = peer.sent[0]!.fields;
  const again = sender.retransmission(sequence, 50, 20);
  assert.ok(typeof again !== 'string');
  assert.deepEqual([again.kind, again.sizeBytes, again.queuedMs], ['retransmission', 580, 20]);
  sender.send(again, 25, undefined);
  const { fields, payload } = peer.sent[1]!;
  assert.deepEqual([fields.ssrc, fields.payloadType, fields.timestamp, fields.marker], [0x2222, 109, 21_000, true]);
  assert.equal(payload.readUInt16BE(0), sequence);
  assert.deepEqual(payload.subarray(2), peer.sent[0]!.payload);
  assert.deepEqual(
    [departures[1]!.sent.kind, departures[1]!.sent.sequence, departures[1]!.frame],
    ['retransmission', 1, -1],
  );
});

test('asked for again: not while it waits, not within a round trip, not without a copy', () => {
  const { sender, peer, media } = setUp();
  sender.send(media(1), 0, undefined);
  const { sequence } = peer.sent[0]!.fields;
  const again = sender.retransmission(sequence, 50, 10);
  assert.ok(typeof again !== 'string');
  assert.equal(sender.retransmission(sequence, 50, 11), 'not-now');
  sender.send(again, 20, undefined);
  assert.equal(sender.retransmission(sequence, 50, 69), 'not-now');
  assert.ok(typeof sender.retransmission(sequence, 50, 70) !== 'string');
  assert.equal(sender.retransmission((sequence + 1) & 0xffff, 50, 70), 'gone');
});

test('a packet can be asked for more than 2 s after it was sent', () => {
  const { sender, peer, media } = setUp();
  for (let ms = 0; ms <= 5000; ms += 100) sender.send(media(1), ms, undefined);
  const sequenceAt = (ms: number) => peer.sent[ms / 100]!.fields.sequence;
  assert.ok(typeof sender.retransmission(sequenceAt(2500), 50, 5000) !== 'string');
  assert.equal(sender.retransmission(sequenceAt(1900), 50, 5000), 'gone');
});

test('a browser without retransmissions gets none, and no padding', () => {
  const { sender, peer, media } = setUp({ stream: { rtxPayloadType: undefined } });
  sender.send(media(1), 0, undefined);
  assert.equal(sender.retransmission(peer.sent[0]!.fields.sequence, 50, 1), 'gone');
  assert.equal(sender.sendPadding(1000, 1, undefined), 0);
  assert.equal(peer.sent.length, 1);
});

test('padding: 224 bytes that say so, on the retransmission stream, for the last frame', () => {
  const { sender, peer, departures, media, last } = setUp();
  assert.equal(sender.sendPadding(1000, 0, undefined), 0); // before the first packet
  sender.send(media(4), 10, undefined);
  assert.equal(sender.sendPadding(2 * (224 + wireBytes), 11, 2), 2 * (224 + wireBytes));
  const { fields, payload } = last();
  assert.deepEqual(
    [fields.ssrc, fields.payloadType, fields.timestamp, fields.marker, fields.padding],
    [0x2222, 109, 12_000, false, true],
  );
  assert.deepEqual([payload.length, payload.at(-1)], [224, 224]);
  assert.deepEqual([departures.at(-1)!.sent.kind, departures.at(-1)!.sent.probe, peer.sent.length], ['padding', 2, 3]);
});

test('padding on a closed connection ends', () => {
  const { sender, peer, media } = setUp();
  sender.send(media(1), 0, undefined);
  peer.closed = true;
  assert.equal(sender.sendPadding(1000, 1, undefined), 0);
});

test('every packet takes the next transport-wide number, past 16 bits', () => {
  const { sender, peer, departures, media, extension } = setUp();
  sender.send(media(1), 0, undefined);
  for (let i = 0; i < 65_535; i++) sender.send(media(1, false, 1), i / 10, undefined);
  sender.sendPadding(1, 7000, undefined);
  assert.deepEqual([departures.at(-2)!.sent.sequence, departures.at(-1)!.sent.sequence], [65_535, 65_536]);
  assert.equal(extension(4), '0000');
  for (let i = 0; i < 65_536; i++) sender.sendPadding(1, 7000, undefined);
  const repair = peer.sent.filter(({ fields }) => fields.ssrc === 0x2222).map(({ fields }) => fields.sequence);
  assert.ok(repair.every((sequence, i) => i === 0 || sequence === ((repair[i - 1]! + 1) & 0xffff)));
  const media65k = peer.sent.filter(({ fields }) => fields.ssrc === 0x1111).map(({ fields }) => fields.sequence);
  assert.ok(media65k.every((sequence, i) => i === 0 || sequence === ((media65k[i - 1]! + 1) & 0xffff)));
});

test('extensions: send time always, the stream id for the first 500 packets, playout delay if asked for', () => {
  const { sender, media, extension } = setUp({ playout: { minMs: 0, maxMs: 100 } });
  sender.send(media(1), 1500, undefined);
  assert.deepEqual([extension(9), extension(2), extension(4), extension(5)], ['30', '060000', '0000', '00000a']);
  for (let i = 1; i < 500; i++) sender.send(media(1), 1500, undefined);
  assert.equal(extension(9), '30');
  sender.send(media(1), 1500, undefined);
  assert.deepEqual([extension(9), extension(2), extension(4)], [undefined, '060000', '01f4']);
  const plain = setUp();
  plain.sender.send(plain.media(1), 0, undefined);
  assert.equal(plain.extension(5), undefined);
});

test('an extension that was not agreed on is not written', () => {
  const { sender, media, last } = setUp({
    stream: { extensions: new Map([[extensionUri.transportSequence, 3]]) },
    playout: { minMs: 0, maxMs: 0 },
  });
  sender.send(media(1), 0, undefined);
  assert.deepEqual(
    last().fields.extensions.map(({ id }) => id),
    [3],
  );
});

test('counters tell media from repair and padding', () => {
  const { sender, peer, media } = setUp();
  sender.send(media(1), 0, undefined);
  sender.send(media(1), 1, undefined);
  const again = sender.retransmission(peer.sent[0]!.fields.sequence, 50, 2);
  assert.ok(typeof again !== 'string');
  sender.send(again, 3, undefined);
  sender.sendPadding(1, 4, undefined);
  assert.deepEqual(sender.counters, {
    packets: 4,
    bytes: 600 + 600 + 602 + 324,
    mediaPackets: 2,
    payloadBytes: 1000,
    retransmissions: 1,
    paddingBytes: 324,
    protectionPackets: 0,
  });
});

const protectedStream = { protection: { ssrc: 0x3333, payloadType: 110 } };

test('error correction: a repair packet per so many of media, on a stream of its own, with a transport-wide number', () => {
  const { sender, peer, departures, repairs, media, extension } = setUp({
    stream: protectedStream,
    protectionRatio: 0.5,
  });
  sender.send(media(1), 10, undefined);
  assert.equal(repairs.length, 0);
  sender.send(media(1, true), 11, undefined);
  assert.equal(repairs.length, 1);
  sender.send(repairs[0]!, 12, 7);
  const { fields, payload } = peer.sent[2]!;
  assert.deepEqual(
    [fields.ssrc, fields.payloadType, fields.timestamp, fields.marker, fields.padding],
    [0x3333, 110, 3000, false, false],
  );
  assert.deepEqual([payload.readUInt32BE(12), payload.readUInt16BE(16)], [0x1111, peer.sent[0]!.fields.sequence]);
  assert.deepEqual(
    [departures[2]!.sent.kind, departures[2]!.sent.sequence, departures[2]!.sent.probe, departures[2]!.frame],
    ['protection', 2, 7, -1],
  );
  assert.equal(extension(4), '0002');
  assert.deepEqual(
    [sender.counters.protectionPackets, sender.counters.mediaPackets, sender.counters.payloadBytes],
    [1, 2, 1000],
  );
});

test('error correction covers packets with zeros for what is written last: send time and transport-wide number', () => {
  const repairOf = (sentMs: number) => {
    const { sender, repairs, media } = setUp({ stream: protectedStream, protectionRatio: 1 });
    sender.send(media(1, true), sentMs, undefined);
    return repairs[0]!.payload.subarray(18);
  };
  assert.deepEqual(repairOf(10), repairOf(1234));
  assert.ok(repairOf(10).includes(Buffer.from('90' + '30', 'hex'))); // the repair packet contains the stream id as sent
});

test('no error correction where it is not wanted, or the browser does not take it', () => {
  for (const given of [{ stream: protectedStream }, { protectionRatio: 1 }]) {
    const { sender, repairs, media } = setUp(given);
    for (let i = 0; i < 60; i++) sender.send(media(1, true), i, undefined);
    assert.equal(repairs.length, 0);
  }
});
