import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { packetKinds } from '../../../../core/packet-kind.ts';
import { loadPlugins } from '../../../../core/plugins.ts';
import { controllerFields } from '../../../../harness/interchange/controller-fields.ts';
import { describeField, dictionary, dictionaryText, series } from '../../../../harness/interchange/dictionary.ts';
import { seriesReaders, trialSeriesReaders } from '../../../../harness/interchange/series-table.ts';
import { timelineSeries } from '../../../../harness/interchange/timeline-series.ts';
import type { ControllerPlugin } from '../../../../server/congestion/controller.ts';

const root = new URL('../../../../', import.meta.url);
const controllers = await loadPlugins<ControllerPlugin>(new URL('server/congestion/', root), 'controller');

test('every series that is written is described, and can be exported', () => {
  const writers = globSync(['harness/**/*.ts', 'server/**/*.ts'], { cwd: root })
    .map(file => readFileSync(new URL(file, root), 'utf8'))
    .join('\n')
    .replace(/\/\*.*?\*\//gs, '');
  const written = new Set([...writers.matchAll(/'([a-z][a-z0-9.-]*)\.jsonl'/g)].map(match => match[1]!));
  assert.ok(written.size >= 15, [...written].join(', '));
  assert.deepEqual(
    [...written].filter(id => !Object.hasOwn(series, id)),
    [],
  );
  assert.deepEqual(
    Object.keys(series).filter(id => !written.has(id)),
    Object.keys(timelineSeries),
  ); // that one is computed
  assert.deepEqual(Object.keys({ ...seriesReaders, ...trialSeriesReaders }).sort(), Object.keys(series).sort());
});

test('every value that a controller tells of itself is described', () => {
  const told = new Set<string>();
  for (const plugin of controllers.values()) {
    const controller = plugin.create(plugin.params.parse({}) as never);
    controller.onConstraints({ startBps: 1e6, minBps: 1e5, maxBps: 8e6 }, 0);
    for (const name of Object.keys(controller.trace())) told.add(name);
  }
  assert.ok(told.size > 30);
  assert.deepEqual(
    [...told].filter(name => !Object.hasOwn(controllerFields, name)),
    [],
  );
  assert.deepEqual(
    Object.keys(controllerFields).filter(name => name !== 'timeMs' && name !== 'inFlightBytes' && !told.has(name)),
    [],
  );
});

test('every kind of packet is named', () => {
  for (const kind of packetKinds) assert.match(describeField('packets', 'kind')!.about, new RegExp(`\\b${kind}\\b`));
});

test('names say the unit that the dictionary says', () => {
  const units: Record<string, string[]> = {
    Ms: ['ms', 'ms since 1970'],
    Bps: ['bit/s'],
    Bytes: ['bytes'],
    Packets: ['packets'],
    Ratio: ['ratio', 'cores'],
  };
  for (const [id, { fields }] of Object.entries(series)) {
    for (const [name, { unit, about }] of Object.entries(fields)) {
      assert.ok(about.length > 0, `${id}.${name}`);
      const suffix = /(Ms|Bps|Bytes|Packets|Ratio)$/.exec(name)?.[1];
      if (suffix !== undefined) assert.ok(units[suffix]!.includes(unit), `${id}.${name} is in ${unit}`);
    }
  }
});

test("members of the browser's statistics are described by where they are defined", () => {
  assert.match(describeField('stats', 'inbound.bytesReceived')!.about, /RTCInboundRtpStreamStats/);
  assert.match(describeField('caller', 'outbound.qualityLimitationDurations.cpu')!.about, /RTCOutboundRtpStreamStats/);
  assert.equal(describeField('ping', 'rttMs')!.unit, 'ms');
  for (const [id, path] of [
    ['ping', 'inbound.x'],
    ['nonesuch', 'timeMs'],
    ['ping', 'constructor'],
    ['toString', 'length'],
  ] as const)
    assert.equal(describeField(id, path), undefined);
});

test('the dictionary is a table for each series, for people and programs', () => {
  const tables = dictionary([{ id: 'stall-time', title: 'Stalled | time', unit: 's', better: 'lower' }]);
  assert.deepEqual(
    tables.map(({ id }) => id),
    ['metrics', 'applications', 'binned', ...Object.keys(series)],
  );
  assert.deepEqual(JSON.parse(JSON.stringify(tables)), tables);
  const text = dictionaryText(tables);
  assert.match(text, /\| stall-time \| s \| number \| Stalled \\\| time \|/);
  assert.match(text, /\| inbound\.\* \|/);
  for (const { id, fields } of tables)
    for (const { name } of fields) assert.ok(text.includes(`| ${name} |`), `${id}.${name}`);
});
