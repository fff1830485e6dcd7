import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payloadBps, plainLink } from '../../../../../core/vocabulary/link.ts';
import { EstimateMeter, isTooHigh, overLink } from '../../../../../harness/analysis/derive/estimate-meter.ts';
import type { Bbr3Record } from '../../../../../harness/record/series/bbr3.ts';
import type { TcpRecord } from '../../../../../harness/record/series/tcp.ts';

const link = plainLink(40e6, { unit: 'packets', value: 100 });
const endMs = 100_000;
const tc = { backend: 'tc', label: 'BBRv3 (draft-ietf-ccwg-bbr)', window: { startMs: 0, endMs } } as const;
const sample = (timeMs: number, port: number, maxBandwidthBps: number | null) =>
  ({ kind: 'sample', timeMs, port, maxBandwidthBps }) as Bbr3Record;
const socket = (
  timeMs: number,
  port: number,
  bandwidthBps: number | undefined,
  end: TcpRecord['end'] = 'sender',
): TcpRecord => ({
  timeMs,
  port,
  end,
  congestionControl: 'bbr',
  ...(bandwidthBps === undefined ? {} : { bandwidthBps }),
});
/** Returns a meter with 1000 samples of the link's rate. The last `high` samples are `times` as large. */
function meterOf(high: number, times: number, ports = [1]): EstimateMeter {
  const meter = new EstimateMeter();
  for (const port of ports)
    for (let k = 0; k < 1000; k++) meter.bbr3(sample(k * 100, port, payloadBps(link) * (k < 1000 - high ? 1 : times)));
  return meter;
}

test('an estimate counts payload, the rate of a link frames or IP packets', () => {
  assert.ok(Math.abs(payloadBps({ rateBps: 1514, bytes: 'ethernet' }) - 1448) < 1e-9);
  assert.ok(Math.abs(payloadBps({ rateBps: 1500, bytes: 'ip' }) - 1448) < 1e-9);
  const { n, p50, p99, max } = overLink(
    [1, 2, 3].map(times => times * payloadBps(link)),
    link,
  )!;
  assert.deepEqual([n, p50, Number(p99.toFixed(6)), max], [3, 2, 2.98, 3]);
  assert.equal(overLink([], link), undefined);
  assert.deepEqual(
    [
      { p99: 1.1, max: 1.25 },
      { p99: 1.11, max: 1.2 },
      { p99: 1, max: 1.26 },
    ].map(isTooHigh),
    [false, true, true],
  );
});

test('a flow that saw more than the link has is told, in what the rate counts', () => {
  assert.equal(
    meterOf(20, 15.65).tooHigh(link, tc),
    'a BBRv3 flow estimated 626 Mbit/s (p99) on a link of 40 Mbit/s: the link lets packets through faster than its ' +
      'rate (tc, not serialising)',
  );
  assert.equal(
    meterOf(1, 2).tooHigh(link, tc),
    'a BBRv3 flow estimated 80 Mbit/s (once) on a link of 40 Mbit/s: the link lets packets through faster than its ' +
      'rate (tc, not serialising)',
  );
  assert.match(
    meterOf(1, 2).tooHigh(link, { ...tc, backend: 'emulator' })!,
    /: the link serialises, so the emulator or a host was late with some packets, or small packets counted as full ones$/,
  );
  assert.match(
    meterOf(20, 3, [1, 2]).tooHigh(link, tc)!,
    /^2 of 2 BBRv3 flows saw more than the link has: one estimated 120 Mbit\/s/,
  );
});

test('one that did not, an event, and what was outside the window are not', () => {
  assert.equal(meterOf(500, 1.05).tooHigh(link, tc), null);
  assert.equal(new EstimateMeter().tooHigh(link, tc), null);
  assert.equal(meterOf(1, 2).tooHigh(link, { ...tc, backend: 'outside' }), null, 'nobody knows its rate');
  const meter = meterOf(0, 1);
  meter.bbr3({ kind: 'event', timeMs: 5, port: 1, maxBandwidthBps: 1e9 } as Bbr3Record);
  meter.bbr3(sample(endMs + 1, 1, 1e9));
  meter.bbr3(sample(-1, 1, 1e9));
  meter.bbr3(sample(5, 1, null));
  assert.equal(meter.tooHigh(link, tc), null);
});

test("BBRv1 tells through its socket, the sender's; other congestion controls tell nothing", () => {
  const meter = new EstimateMeter();
  for (let k = 0; k < 60; k++) {
    meter.tcp(socket(k * 1000, 7, 52e6));
    meter.tcp(socket(k * 1000, 8, undefined));
    meter.tcp(socket(k * 1000, 7, 9e9, 'receiver'));
  }
  meter.tcp(socket(1, 7, 0));
  assert.equal(
    meter.tooHigh(link, { ...tc, label: 'BBRv1' }),
    'a BBRv1 flow estimated 54.4 Mbit/s (p99) on a link of 40 Mbit/s: the link lets packets through faster than its ' +
      'rate (tc, not serialising)',
  );
});

test('a schedule counts with its highest rate, a trace not at all', () => {
  const scheduled = { ...link, schedule: [{ atMs: 5000, rateBps: 80e6, rampMs: 0 }] };
  assert.equal(meterOf(20, 2).tooHigh(scheduled, tc), null);
  assert.match(meterOf(20, 4).tooHigh(scheduled, tc)!, /160 Mbit\/s \(p99\) on a link of 80 Mbit\/s/);
  assert.equal(meterOf(20, 4).tooHigh({ ...link, trace: 'a.trace' }, tc), null);
});
