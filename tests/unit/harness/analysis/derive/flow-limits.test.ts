import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FlowLimitMeter } from '../../../../../harness/analysis/derive/flow-limits.ts';
import { tcp } from '../../support/record.ts';

const window = { startMs: 10_000, endMs: 20_000 };

/**
 * Returns readings at 9, 10, 15, 20 and 21 s of a flow that always has data. In the window the flow is limited for
 * `ratio` of the time.
 */
function flow(
  meter: FlowLimitMeter,
  port: number,
  what: 'sendBufferLimitedMs' | 'receiveWindowLimitedMs',
  ratio: number,
) {
  for (const timeMs of [9000, 10_000, 15_000, 20_000, 21_000]) {
    const waitedMs = 500 + Math.max(0, Math.min(timeMs, window.endMs) - window.startMs) * ratio;
    meter.tcp(tcp(timeMs, 'sender', port, { busyMs: timeMs, ...(ratio === 0 ? {} : { [what]: waitedMs }) }));
  }
}

test('only the window counts, and only the time with data', () => {
  const meter = new FlowLimitMeter();
  flow(meter, 7, 'sendBufferLimitedMs', 0.34);
  assert.deepEqual(meter.within(window), [{ port: 7, sendBufferRatio: 0.34, receiveWindowRatio: 0 }]);
  assert.deepEqual(meter.notes(window), [
    'its TCP flow waited 34 % of its time for room in its send buffer (net.ipv4.tcp_wmem): not the link alone limited it',
  ]);
});

test('of several flows the note says how many, and how much the most limited was', () => {
  const meter = new FlowLimitMeter();
  flow(meter, 1, 'receiveWindowLimitedMs', 0.2);
  flow(meter, 2, 'receiveWindowLimitedMs', 0.9);
  flow(meter, 3, 'receiveWindowLimitedMs', 0);
  assert.deepEqual(meter.notes(window), [
    "2 of 3 TCP flows, the most limited of them waited 90 % of its time for the receiver's window " +
      '(net.ipv4.tcp_rmem, or a receiver that is slow to read): not the link alone limited it',
  ]);
});

test('a flow that the link limits, the other end, and older records give no note', () => {
  const meter = new FlowLimitMeter();
  flow(meter, 1, 'sendBufferLimitedMs', 0.05);
  meter.tcp(tcp(10_000, 'receiver', 2, { busyMs: 0 }));
  meter.tcp(tcp(20_000, 'receiver', 2, { busyMs: 10_000, sendBufferLimitedMs: 10_000 }));
  meter.tcp(tcp(10_000, 'sender', 3, { bytesSent: 1 }));
  meter.tcp(tcp(20_000, 'sender', 3, { bytesSent: 2 }));
  assert.deepEqual(meter.notes(window), []);
  assert.deepEqual(
    meter.within(window).map(({ port }) => port),
    [1],
  );
});

test('a flow that was idle, or read once, has no share', () => {
  const meter = new FlowLimitMeter();
  for (const timeMs of [10_000, 20_000]) meter.tcp(tcp(timeMs, 'sender', 1, { busyMs: 300, sendBufferLimitedMs: 300 }));
  meter.tcp(tcp(15_000, 'sender', 2, { busyMs: 300, sendBufferLimitedMs: 300 }));
  assert.deepEqual(meter.within(window), []);
});

test('flows that are read at the end are judged since they began, unless they were short', () => {
  const of = (port: number, busyMs: number, sendBufferLimitedMs: number) => ({
    port,
    congestionControl: 'cubic',
    startMs: 0,
    retransmittedBytes: 0,
    sentBytes: 1,
    receivedBytes: 1,
    limits: { busyMs, receiveWindowLimitedMs: 0, sendBufferLimitedMs },
  });
  assert.match(new FlowLimitMeter().notes(window, [of(1, 4000, 1000)])[0]!, /waited 25 % .* send buffer/);
  assert.deepEqual(new FlowLimitMeter().notes(window, [of(1, 999, 999)]), []);
  const { limits: _, ...older } = of(1, 4000, 1000);
  assert.deepEqual(new FlowLimitMeter().notes(window, [older]), []);
});
