import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoTrial, floodParams, shownIn } from '../../../../harness/demo/demo-trial.ts';
import { firstValues } from '../../../../harness/demo/first-values.ts';
import { tile } from '../../../../harness/demo/tiling.ts';
import flagship from '../../../../harness/studies/experiment/shipped/bbr-flood.ts';
import { loadRegistries } from '../../../../harness/trial/registries.ts';

const registries = await loadRegistries();
const first = (...assignments: string[]) => firstValues(flagship, assignments, registries, 8);

test('two viewers of one stream and a flood, in a window without end, of which nothing is kept', () => {
  const { condition, times, places } = demoTrial(first(), registries);
  assert.deepEqual(
    condition.applications.map(({ name, kind, service: { id } }, k) => [name, kind, id, places[k]]),
    [
      ['service', 'video-call', 'live-clip', 0],
      ['beside', 'video-call', 'live-clip', 0],
      ['flood', 'baseline', 'iperf', 1],
    ],
  );
  assert.equal(condition.subject, 'service');
  assert.deepEqual(Object.keys(condition.link.paths).sort(), ['beside', 'flood', 'service']);
  assert.deepEqual([times.windowMs, times.queueLog, times.pcap], [Infinity, 'off', false]);
});

test('the viewer past the link is served from the next port', () => {
  const ports = (...assignments: string[]) =>
    demoTrial(first(...assignments), registries)
      .condition.applications.slice(0, 2)
      .map(({ service: { params } }) => (params as { port: number }).port);
  assert.deepEqual(ports('service.port=9000'), [9000, 9001]);
  assert.deepEqual(ports('service.port=65535'), [65_535, 65_534]);
});

test('the flood waits for a command, and the stream past the link has its own window', () => {
  const { service, beside, flood } = shownIn(tile({ left: 0, top: 0, width: 1920, height: 1080 }));
  assert.deepEqual(flood, { isOnDemand: true });
  assert.deepEqual([service!.isPastLink, beside!.isPastLink], [undefined, true]);
  assert.notDeepEqual(service!.window!.place, beside!.window!.place);
});

test('the settings give the flood its congestion control and flows; the rest is as it was asked for', () => {
  const params = floodParams(first('flood.stagger=2s'), { flood: 'reno', flows: 3 }) as Record<string, unknown>;
  assert.deepEqual(
    [params['congestionControl'], params['flows'], params['stagger'], params['telemetry']],
    ['reno', 3, 2000, false],
  );
});
