import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Evidence } from '../../../../../../harness/analysis/derive/attribution/evidence.ts';
import { repairFinding, wireFinding } from '../../../../../../harness/analysis/derive/attribution/network.ts';
import { tunnelState } from '../../../../../../harness/analysis/derive/attribution/tunnel-state.ts';
import type { TunnelRecord } from '../../../../../../harness/record/series/tunnel.ts';
import { tunnelReport } from '../../../support/tunnel.ts';

/**
 * Returns evidence on a gap of one second, over a tunnel with these reports. The frame after the gap took 600 ms longer
 * than the previous frame.
 */
function evidence(reports: readonly TunnelRecord[], change: object = {}): Evidence {
  return {
    blocking: {
      before: { frame: 1, last: null },
      next: {
        frame: 2,
        lastSentMs: 100,
        firstSentMs: 90,
        last: { sentMs: 100, queue: null, arrivedMs: 900 },
        ...change,
      },
    },
    gap: { fromMs: 0, toMs: 1000 },
    addedMs: 600,
    surroundings: {
      tunnel: (fromMs: number, toMs: number) => tunnelState(reports, fromMs, toMs),
      losesBehindQueue: false,
      roundTripMs: () => 20,
      carried: () => null,
      bottleneck: () => 'the link',
    },
    skipped: [],
    hasQueueLog: false,
  } as unknown as Evidence;
}

/** Returns five reports per second, with 50 kbit sent in each. */
const reports = (change: (timeMs: number) => Partial<TunnelRecord>) =>
  [0, 200, 400, 600, 800, 1000].map(timeMs => tunnelReport(timeMs, { sentBytes: timeMs * 31.25, ...change(timeMs) }));

test('what waits behind a full window is put down to the window, with room in it to the queue', () => {
  const full = wireFinding(
    evidence(reports(timeMs => ({ queuedBytes: timeMs === 400 ? 20_000 : 0, bytesInFlight: 11_500 }))),
  );
  assert.equal(full.cause, 'tunnel-window');
  assert.match(
    full.evidence,
    /20\.0 kB waited at the tunnel's sending end, whose congestion window of 12\.0 kB was full at a round-trip time of 20 ms/,
  );
  const roomy = wireFinding(evidence(reports(() => ({ queuedBytes: 20_000, bytesInFlight: 1000 }))));
  assert.equal(roomy.cause, 'tunnel-queue');
  const without = wireFinding(
    evidence(reports(() => ({ queuedBytes: 20_000, bytesInFlight: 1e6, congestionWindowBytes: null }))),
  );
  assert.equal(without.cause, 'tunnel-queue', 'without a congestion control there is no window to be full');
});

test('streams that were sent again are put down to the recovery, datagrams are not', () => {
  const lost = (streamFramesSent: number) =>
    wireFinding(evidence(reports(timeMs => ({ lostPackets: timeMs / 200, streamFramesSent }))));
  assert.equal(lost(9).cause, 'tunnel-recovery');
  assert.match(lost(9).evidence, /took 5 packets to be lost and sent their streams again/);
  assert.equal(lost(0).cause, 'unknown');
});

test('a little that waited explains nothing, and nothing is said where the end does not tell of that time', () => {
  assert.equal(wireFinding(evidence(reports(() => ({ queuedBytes: 1000 })))).cause, 'unknown');
  assert.equal(wireFinding(evidence([tunnelReport(0, { queuedBytes: 1e6 })])).cause, 'unknown');
  assert.equal(wireFinding(evidence([])).cause, 'unknown');
});

test('a full send buffer that dropped packets of the frame is found', () => {
  const frame = {
    lost: 2,
    dropped: { overflow: 0, 'random-loss': 0, aqm: 0, other: 0, behind: 0 },
    loss: { sentMs: 95, seenMs: 150 },
    repairs: { packets: 2, firstSentMs: 160, lost: 0, lastArrivedMs: 700 },
  };
  const found = repairFinding(
    evidence(
      reports(timeMs => ({ droppedPackets: timeMs >= 200 ? 4 : 0 })),
      frame,
    ),
  );
  assert.equal(found.cause, 'tunnel-queue');
  assert.match(
    found.evidence,
    /2 packets of frame 2 were lost; .*sending end dropped 4 packets because its buffer was full/,
  );
  assert.equal(
    repairFinding(
      evidence(
        reports(() => ({ droppedPackets: 7 })),
        frame,
      ),
    ).cause,
    'repair',
    'none since then',
  );
});
