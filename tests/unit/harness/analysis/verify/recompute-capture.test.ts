/** Tests the second implementation on a packet capture: rates, losses, and packets that the capture cannot have. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { capture, startMs } from './hand-made.ts';
import { type Row, skip, verifierIn } from './verifier.ts';

/** Returns the row of a quantity in the first trial, computed from the trial's capture. */
const seenIn = (rows: readonly Row[], metric: string) =>
  rows.find(row => row.metric === metric && row.source === 'bottleneck.pcap' && row.place === '0001-base')!;

describe('captures recomputed by Python', { skip }, () => {
  const place = mkdtempSync(join(tmpdir(), 'coexist-verify-'));
  after(() => rmSync(place, { recursive: true, force: true }));
  const verify = verifierIn(place);

  // the payload stays in order across a late packet and the wrap of the sequence numbers; losses agree packet by packet
  test('a capture agrees with the record', async () => {
    const { status, rows, differing } = await verify({ pcap: capture() });
    const stated = ['media packets that left the bottleneck', 'media bytes that left the bottleneck'];
    const seen = (metric: string) => seenIn(rows, metric);
    assert.deepEqual([seen('goodput of the others').low, seen('goodput of the others').high], [3e6, 3e6]);
    // 980 of 1000 packets of 1250 bytes
    assert.ok(Math.abs(seen('goodput').low! - 0.98e6) < 2000, String(seen('goodput').low));
    assert.ok(Math.abs(seen('loss').low! - 20 / 990) < 1e-12);
    // the log of the hand-made trial has 1000 packets that left, the capture has 980
    assert.deepEqual([...new Set(differing.map(name => name.replace(/ of 00.*$/, '')))], stated);
    assert.equal(status, 4);
  });

  test('packets that a queue held until the capture had ended may have left', async () => {
    const { rows, differing } = await verify({ pcap: capture({ untilMs: startMs + 9955 }) });
    const { low, high } = seenIn(rows, 'loss');
    assert.ok(Math.abs(low! - 20 / 990) < 1e-12 && Math.abs(high! - 24 / 990) < 1e-12, `${low} to ${high}`);
    assert.ok(!differing.some(name => name.startsWith('loss')), differing.join('\n'));
  });

  test('a loss that the capture does not show is found', async () => {
    const { differing } = await verify({ pcap: capture({ lost: () => false }) });
    assert.ok(differing.includes('loss of 0001-base'), differing.join('\n'));
    assert.ok(!differing.some(name => name.startsWith('media packets')), differing.join('\n'));
  });
});
