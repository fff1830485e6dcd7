import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/repair/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, every, sender, startMs, stats, writeRecord } from '../../support/record.ts';
import { tunnelReport } from '../../support/tunnel.ts';

const folder = temporaryFolder();
const elapsed = (timeMs: number) => (timeMs - startMs) / 1000;
const seconds = every(1000, startMs - 1000, endMs + 1000);

/**
 * Returns counters that grow by these numbers per second: lost packets, and retransmissions that were requested and
 * received.
 */
const counters = (lost: number, again: number) =>
  seconds.map(timeMs => {
    const s = elapsed(timeMs) + 10;
    return stats(timeMs, {
      packetsLost: lost * s,
      packetsReceived: 99 * s,
      nackCount: 3 * s,
      retransmittedPacketsReceived: again * s,
      pliCount: Math.floor(s / 5),
      firCount: 0,
    });
  });

const keyFrame = (frame: number, captureMs: number, key = true) => ({
  frame,
  rtpTimestamp: frame,
  captureMs,
  encodedMs: captureMs + 5,
  firstPacketMs: captureMs + 6,
  lastPacketMs: captureMs + 8,
  bytes: key ? 30_000 : 3000,
  key,
});

/** Returns the sender's counter of retransmissions, which grows by this number per second. */
const resentBy = (again: number) =>
  seconds.map(timeMs => sender(timeMs, { retransmissions: again * (elapsed(timeMs) + 10) }));

test('losses, requests and retransmissions in the window; those beyond the losses were in vain', async () => {
  const values = await plugin.compute(writeRecord(join(folder, 'a'), { stats: counters(1, 0), sender: resentBy(3) }));
  assert.equal(values['rtp-losses'], 10);
  assert.ok(Math.abs(values['rtp-loss']! - 0.01) < 1e-9);
  assert.equal(values['nacks'], 30);
  assert.equal(values['retransmissions'], 30);
  assert.equal(values['spurious-retransmissions'], 20);
  assert.equal(values['key-frames-asked'], 2);
  const { 'spurious-retransmissions': inVain } = await plugin.compute(
    writeRecord(join(folder, 'b'), { stats: counters(3, 0), sender: resentBy(2) }),
  );
  assert.equal(inVain, 0);
});

test('padding on the retransmission stream is neither a retransmission nor a media packet', async () => {
  // 99 packets a second were received, 19 of them on the retransmission stream. Only one of these 19 was a
  // retransmission
  const values = await plugin.compute(
    writeRecord(join(folder, 'padding'), { stats: counters(1, 19), sender: resentBy(1) }),
  );
  assert.equal(values['retransmissions'], 10);
  assert.equal(values['spurious-retransmissions'], 0);
  assert.ok(Math.abs(values['rtp-loss']! - 1 / 81) < 1e-9);
});

test("by the sender's list of packets, what was lost when it was sent again was not asked for in vain", async () => {
  const sent = (kind: string, atMs: number, came: boolean) => ({
    kind,
    rtpSequence: 1,
    rtpTimestamp: 1,
    frame: kind === 'media' ? 1 : -1,
    bytes: 1200,
    sentMs: startMs + atMs,
    receivedMs: came ? 1000 + atMs : null,
    feedbackMs: startMs + atMs + 50,
  });
  const packets = [
    sent('media', -100, false), // before the window
    sent('media', 100, false),
    sent('media', 110, true),
    sent('retransmission', 150, false),
    sent('retransmission', 200, true),
    sent('retransmission', 300, true),
    sent('padding', 310, true),
    sent('padding', 320, false),
    { ...sent('media', 400, false), feedbackMs: null }, // unknown, since the packet has no feedback
  ].map((packet, sequence) => ({ sequence, ...packet }));
  const values = await plugin.compute(writeRecord(join(folder, 'listed'), { stats: counters(0, 0), packets }));
  assert.equal(values['retransmissions'], 3);
  assert.equal(values['spurious-retransmissions'], 1);
});

test('a browser that sends tells what it sent again; where no sender tells, there is no number', async () => {
  const caller = seconds.map(timeMs => ({
    timeMs,
    mainThreadDelayMaxMs: 0,
    visible: true,
    outbound: { retransmittedPacketsSent: 4 * (elapsed(timeMs) + 10) },
    remoteInbound: null,
    candidatePair: null,
    cpuLimitedS: 0,
  }));
  const call = await plugin.compute(writeRecord(join(folder, 'call'), { stats: counters(1, 9), caller }));
  assert.deepEqual([call['retransmissions'], call['spurious-retransmissions']], [40, 30]);
  const page = await plugin.compute(writeRecord(join(folder, 'page'), { stats: counters(1, 9) }));
  assert.deepEqual([page['retransmissions'], page['spurious-retransmissions']], [null, null]);
});

test('key frames of the window with their size; a storm where they follow each other on a link that is full', async () => {
  const frames = [
    keyFrame(0, startMs - 500),
    keyFrame(1, startMs + 1000), // 1.5 s after the first key frame
    keyFrame(2, startMs + 1500, false),
    keyFrame(3, startMs + 2000),
    keyFrame(4, startMs + 8000), // 6 s after the previous key frame
    keyFrame(5, startMs + 8500),
    keyFrame(6, endMs + 100),
  ];
  const sent = (bps: (timeMs: number) => number) => {
    let sentBytes = 0;
    return every(200, startMs - 2000, endMs + 2000).map(timeMs => {
      sentBytes += (bps(timeMs) * 0.2) / 8;
      return { timeMs, sentBytes };
    });
  };
  // the link carries 40 Mbit/s
  const overloaded = sent(timeMs => (timeMs < startMs + 4000 ? 90e6 : 2e6));
  const record = writeRecord(join(folder, 'storm'), {
    'frames.sent': frames,
    tunnel: overloaded.map(({ timeMs, sentBytes }) => tunnelReport(timeMs, { sentBytes })),
    sender: seconds.map(timeMs => sender(timeMs)),
  });
  const values = await plugin.compute(record);
  assert.deepEqual(
    [values['key-frames-sent'], values['key-frame-size'], values['key-frame-storm']],
    [4, 30_000, 2],
    'numbers 1 and 3; number 5 came on a link with room',
  );
  const bySender = writeRecord(join(folder, 'sender'), {
    'frames.sent': frames,
    sender: overloaded.filter((_, i) => i % 5 === 0).map(({ timeMs, sentBytes }) => sender(timeMs, { sentBytes })),
  });
  assert.equal((await plugin.compute(bySender))['key-frame-storm'], 2, 'the same without a tunnel');
});

test('of an empty record nothing is known', async () => {
  const values = await plugin.compute(writeRecord(join(folder, 'none'), {}));
  assert.deepEqual([...new Set(Object.values(values))], [null]);
});
