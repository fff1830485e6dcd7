/**
 * What is known of WebRTC inside QUIC from the mechanisms alone, with a sender that keeps its rate: which losses come
 * through, which congestion controls cannot keep up on a long path, and what no congestion control does on a full link.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { Summary } from '../../harness/analysis/summary/summary.ts';
import { tunnelPrograms } from '../../harness/tunnels/quic/programs.ts';
import { studyHasResults } from '../e2e/support/disturbed.ts';
import { inPlace } from '../e2e/support/interrupted.ts';
import { cannotRun } from '../e2e/support/run-command.ts';

const skip =
  cannotRun ??
  (existsSync(tunnelPrograms.noq) ? false : 'the QUIC tunnel on noq is not built: run "npm run setup -- quic"');

const definition = {
  title: 'Shape of WebRTC inside QUIC',
  question: 'Does what follows from the mechanisms show?',
  source: 'own',
  link: { rate: '2500kbit', rtt: '20ms', queue: { limit: '125kB' }, loss: '2%' },
  service: {
    id: 'live-clip',
    clipLength: '1s',
    width: 320,
    height: 180,
    frameRate: 30,
    startBitrate: '1800kbit',
    maxBitrate: '3mbit',
    controller: { id: 'fixed' },
  },
  run: { window: '10s', startUp: '5s', retries: 4, preflight: false },
};

const quic = (mode: string, congestionControl: string) => ({ tunnel: { id: 'quic', mode, congestionControl } });

/** Of a test, ms: longer than a study whose trials are all run again takes. */
const timeout = 600_000;

/** The metrics of each condition; undefined where the machine disturbed each try of one. */
async function measured(
  context: TestContext,
  change: object,
  conditions: Record<string, object>,
): Promise<((condition: string, metric: string) => number) | undefined> {
  let summary: Summary | undefined;
  await inPlace(async place => {
    const names = Object.keys(conditions).map((name, i) => `${String(i + 1).padStart(4, '0')}-${name}`);
    if (!(await studyHasResults(context, place, { ...definition, ...change, conditions }, names, 540_000))) return;
    summary = JSON.parse(readFileSync(join(place.out, 'summary.json'), 'utf8')) as Summary;
  });
  if (summary === undefined) return undefined;
  const all = summary.conditions;
  return (condition, metric) => {
    const { value } = all.find(({ id }) => id === condition)!.metrics[metric]!;
    assert.ok(value !== null, `${metric} of ${condition} has no value`);
    context.diagnostic(`${condition}: ${metric} ${value}`);
    return value;
  };
}

describe('WebRTC inside QUIC', { skip }, () => {
  test('at 2 % loss and 20 ms each datagram lost is an RTP packet lost; streams hide every loss', {
    timeout,
  }, async context => {
    const of = await measured(
      context,
      {},
      { udp: {}, datagram: quic('datagram', 'copa'), stream: quic('stream', 'copa') },
    );
    if (of === undefined) return;
    const [quicLoss, rtpLoss] = [of('datagram', 'tunnel-loss'), of('datagram', 'rtp-loss')];
    assert.ok(quicLoss > 0.01 && quicLoss < 0.03, `QUIC lost ${quicLoss} of its packets`);
    assert.ok(Math.abs(rtpLoss - quicLoss) < 0.3 * quicLoss, `RTP lost ${rtpLoss}, QUIC ${quicLoss}`);
    assert.ok(of('stream', 'tunnel-loss') > 0.01, 'QUIC loses packets in stream mode, too');
    assert.equal(of('stream', 'rtp-losses'), 0);
    assert.ok(of('udp', 'rtp-loss') > 0.01);
  });

  for (const mode of ['datagram', 'stream'])
    test(`at 2 % loss and 100 ms NewReno and CUBIC collapse in ${mode} mode, Copa does not`, async context => {
      const controls = ['newreno', 'cubic', 'copa'];
      const conditions = Object.fromEntries(controls.map(control => [control, quic(mode, control)]));
      const of = await measured(context, { link: { ...definition.link, rtt: '100ms' } }, conditions);
      if (of === undefined) return;
      const kept = of('copa', 'goodput');
      assert.ok(kept > 1.4e6, `Copa: ${kept} bit/s of 1.8 Mbit/s`);
      for (const control of ['newreno', 'cubic']) {
        const goodput = of(control, 'goodput');
        assert.ok(goodput < 0.7 * kept, `${control}: ${goodput} bit/s, Copa ${kept}`);
      }
    });

  test('without congestion control streams of a stream that is too fast send more than twice of it', {
    timeout,
  }, async context => {
    const service = { ...definition.service, startBitrate: '3mbit' };
    const link = { ...definition.link, loss: '0%' };
    const of = await measured(
      context,
      { service, link },
      { copa: quic('stream', 'copa'), none: quic('stream', 'none') },
    );
    if (of === undefined) return;
    assert.ok(of('none', 'tunnel-expansion') > 2);
    assert.ok(of('copa', 'tunnel-expansion') < 1.3);
  });
});
