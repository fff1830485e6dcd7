/**
 * Whatever comes to the tunnel: what an end prints is a report or refused in one line; whatever is sent to the sockets
 * of an end, and whatever is written to its standard input, it goes on, or ends with one line and a status of its own.
 */
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { CoexistError } from '../../core/errors.ts';
import { until, within } from '../../core/system/deadline.ts';
import { tunnelPrograms, tunnelStacks } from '../../harness/tunnels/quic/programs.ts';
import { ReportSeries, readReport } from '../../harness/tunnels/quic/reports.ts';
import { cert, End, key, tunnel, waitMs } from '../e2e/support/tunnel-ends.ts';
import { endReport } from '../unit/harness/tunnels/quic/support.ts';
import { anyBytes, damaged, quicLike } from './bytes.ts';
import { effort } from './effort.ts';
import { changed } from './json.ts';

const seed = 20261123;

/** One line that names what was told. */
function isRefusal(error: unknown): boolean {
  assert.ok(error instanceof CoexistError, String(error));
  assert.equal(error.code, 'service-failed');
  assert.doesNotMatch(error.message, /\n/);
  return true;
}

test('a line is a report whose numbers are numbers, or it is refused', () => {
  const lines = fc.oneof(
    changed([endReport(), { timeMs: 5, state: 'waiting' }]).map(value => JSON.stringify(value)),
    damaged([Buffer.from(JSON.stringify(endReport()))]).map(bytes => bytes.toString('latin1')),
    fc.string(),
  );
  fc.assert(
    fc.property(lines, line => {
      try {
        const report = readReport(line);
        if (report === null) return;
        for (const value of Object.values(report))
          assert.ok(typeof value !== 'number' || (Number.isFinite(value) && value >= 0), line);
      } catch (error) {
        isRefusal(error);
      }
    }),
    effort(seed, 3000),
  );
});

test('whatever reports follow one another, a delivery rate is none or a rate', () => {
  const report = fc.record({
    timeMs: fc.double({ min: 0, max: 1e13, noNaN: true }),
    ackedBytes: fc.option(fc.nat(2 ** 31 - 1), { nil: null }),
  });
  fc.assert(
    fc.property(fc.array(report, { maxLength: 10 }), reports => {
      const series = new ReportSeries('server');
      for (const change of reports) {
        const { deliveryBps } = series.take(JSON.stringify(endReport(change)))!;
        assert.ok(deliveryBps === null || (Number.isFinite(deliveryBps) && deliveryBps >= 0), String(deliveryBps));
      }
    }),
    effort(seed, 500),
  );
});

for (const stack of tunnelStacks) {
  const skip = existsSync(tunnelPrograms[stack])
    ? false
    : `the QUIC tunnel on ${stack} is not built: run "npm run setup -- quic"`;

  test(`${stack}: whatever comes to the sockets of its ends, they go on and carry packets`, {
    skip,
    timeout: 120_000,
  }, async () => {
    const ends = await tunnel(stack, 'stream', 'newreno');
    const stranger = createSocket('udp4');
    try {
      const samples = fc.sample(quicLike, effort(seed, 400));
      for (const [k, bytes] of samples.entries()) {
        stranger.send(bytes, ends.quicPort, '127.0.0.1');
        ends.browser.send(bytes, ends.udpPort, '127.0.0.1');
        if (k % 20 === 0) await new Promise(resolve => setTimeout(resolve, 1));
      }
      const arrived = new Promise<void>(resolve => {
        ends.server.on('message', bytes => {
          if (bytes.toString() === 'the last one') resolve();
        });
      });
      await until(() => ((ends.far.last?.['packetsIn'] as number) > 0 ? true : undefined), waitMs, 'a report');
      ends.browser.send('the last one', ends.udpPort, '127.0.0.1');
      await within(arrived, waitMs, 'a packet after all that');
      assert.deepEqual([ends.near.said, ends.far.said], ['', '']);
      assert.equal(ends.near.last['badFrames'], 0, 'what strangers send to the QUIC socket is no frame');
    } finally {
      stranger.close();
      ends.close();
    }
  });

  test(`${stack}: whatever is written to its standard input, it ends in order or with one line`, {
    skip,
    timeout: 120_000,
  }, async () => {
    const identities = fc.oneof(damaged([Buffer.from(key + cert), Buffer.from(cert)]), anyBytes(2000));
    for (const bytes of fc.sample(identities, effort(seed, 25))) {
      const end = new End(
        stack,
        'server --quic 127.0.0.1:0 --udp 127.0.0.1:9 --mode datagram --congestion newreno',
        bytes,
      );
      end.child.stdin!.end();
      const status = await within(end.ended, waitMs, 'its end');
      assert.ok(status === 0 || status === 2, `status ${status}: ${end.said}`);
      assert.ok(end.said === '' || /^[^\n]+\n$/.test(end.said), end.said);
      assert.doesNotMatch(end.said, /panic|goroutine/);
    }
  });
}
