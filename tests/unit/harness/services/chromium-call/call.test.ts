import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../../../../core/schema/schema.ts';
import { nowMs } from '../../../../../core/system/clock.ts';
import type { RecordOf } from '../../../../../harness/record/schema/series.ts';
import { SeriesListeners } from '../../../../../harness/record/schema/series-listeners.ts';
import { type CallerRecord, callerSeries } from '../../../../../harness/record/series/caller.ts';
import { connectionSeries } from '../../../../../harness/record/series/connection.ts';
import { Call } from '../../../../../harness/services/chromium-call/index.ts';
import { paramsSchema } from '../../../../../harness/services/chromium-call/params.ts';
import type { StudyContext, TrialContext } from '../../../../../harness/services/service.ts';
import type { BrowserOptions, BrowserWindow } from '../../../../../harness/trial/browser/launch.ts';
import { clipFacts } from '../../support/clip-facts.ts';
import { fakeHost } from '../../support/fake-host.ts';
import { callerDrain, viewerDrain } from '../support/page-answers.ts';

process.env['CHROMIUM_PATH'] = process.execPath; // the program is not started

const study = {
  network: { hosts: { server: fakeHost('true', '', 'left-1'), client: fakeHost('true', '', 'right-1') } },
  scratch: '/',
  headed: false,
} as unknown as StudyContext;
const params = check(paramsSchema, {}, 'chromium-call');

/**
 * Returns a call between two pages that give these answers. A key is the beginning of the expression that the answer is
 * for.
 */
function call(change: { caller?: Record<string, unknown>; callee?: Record<string, unknown> } = {}) {
  const written: CallerRecord[] = [];
  const connections: RecordOf<typeof connectionSeries>[] = [];
  const closed: string[] = [];
  const listeners = new SeriesListeners()
    .on(callerSeries, record => written.push(record))
    .on(connectionSeries, record => connections.push(record));
  const trial: TrialContext = { directory: '/', write: listeners.tell };
  const answers: Record<string, Record<string, unknown>> = {
    'left-1': { 'coexist.timeMs': nowMs(), 'coexist.offer': 'v=0', 'coexist.drain': callerDrain(), ...change.caller },
    'right-1': {
      'coexist.timeMs': nowMs(),
      'coexist.answer': 'v=0\r\na=rtpmap:108 H264/90000',
      'globalThis.coexist?.status': viewerDrain().status,
      'coexist.drain': viewerDrain(),
      ...change.callee,
    },
  };
  const launch = async ({ host }: BrowserOptions) =>
    ({
      died: new Promise<never>(() => {}),
      page: {
        route: async () => {},
        goto: async () => {},
        evaluate: async (expression: string) => answers[host.name]![expression.split('(')[0]!],
      },
      close: async () => void closed.push(host.name),
    }) as unknown as BrowserWindow;
  return {
    opened: Call.open({ file: '/camera', facts: clipFacts() }, study, trial, params, launch),
    written,
    connections,
    closed,
  };
}

test('what the two pages tell is taken and written', async () => {
  const { opened, written, connections } = call();
  const running = await opened;
  assert.equal((await running.collect()).lost, false);
  assert.equal(written[0]!.outbound!['encoderImplementation'], 'OpenH264');
  assert.ok(!('state' in written[0]!) && !('events' in written[0]!));
  assert.deepEqual(
    new Set(connections.map(({ end, type }) => `${end} ${type}`)),
    new Set(['receiver connectionstatechange', 'sender createOffer']),
  );
});

test('what the calling page cannot tell fails the service, which is named with its host', async () => {
  for (const [told, message] of [
    [{ ...callerDrain(), state: 'lost' }, /^chromium-call's caller on left-1: state: /],
    [{ ...callerDrain(), outbound: { bytesSent: [] } }, /^chromium-call's caller on left-1: outbound: bytesSent has/],
    [{ ...callerDrain(), cpuLimitedS: -1 }, /^chromium-call's caller on left-1: cpuLimitedS: /],
    [{ ...callerDrain(), timeMs: nowMs() + 1e8 }, /^chromium-call's caller on left-1: its time is/],
    [null, /^chromium-call's caller on left-1/],
  ] as const) {
    const { opened, written } = call({ caller: { 'coexist.drain': told } });
    await assert.rejects((await opened).collect(), { code: 'service-failed', message });
    assert.deepEqual(written, []);
  }
});

test('a call is not made with what is no description, and its browsers are closed', async () => {
  for (const [change, message] of [
    [{ caller: { 'coexist.offer': 5 } }, /^chromium-call's caller on left-1/],
    [{ caller: { 'coexist.timeMs': 'now' } }, /^chromium-call's caller on left-1/],
    [{ callee: { 'coexist.answer': 'v=0'.repeat(1e5) } }, /^chromium-call's callee on right-1/],
    [{ callee: { 'globalThis.coexist?.status': { state: 'failed', failure: null, presentedFrames: 0 } } }, /callee/],
  ] as const) {
    const { opened, closed } = call(change);
    await assert.rejects(opened, { code: 'service-failed', message });
    assert.deepEqual(closed.toSorted(), ['left-1', 'right-1']);
  }
});
