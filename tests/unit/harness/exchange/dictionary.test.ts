import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { packetKinds } from '../../../../core/vocabulary/packet-kind.ts';
import { allSeries } from '../../../../harness/exchange/all-series.ts';
import { controllerFields } from '../../../../harness/exchange/controller-fields.ts';
import { dictionary, dictionaryText } from '../../../../harness/exchange/dictionary.ts';
import { loadSeries } from '../../../../harness/record/load-series.ts';
import { describeField } from '../support/describe-field.ts';

const root = new URL('../../../../', import.meta.url);
const series = await allSeries();

test('no program writes a file of lines that is no series', () => {
  const code = globSync(['harness/**/*.ts', 'server/**/*.ts'], { cwd: root })
    .map(file => readFileSync(new URL(file, root), 'utf8'))
    .join('\n')
    .replace(/\/\*.*?\*\//gs, '');
  const named = new Set([...code.matchAll(/'([a-z][a-z0-9.-]*)\.jsonl'/g)].map(match => match[1]!));
  assert.ok(named.size >= 5, [...named].join(', '));
  assert.deepEqual(
    [...named].filter(id => !Object.hasOwn(series, id)),
    [],
  );
});

test('every series has a title, a pace and fields, and its id names its file', async () => {
  const recorded = await loadSeries();
  assert.ok(recorded.size > 20);
  assert.deepEqual(Object.keys(series), [...recorded.keys(), 'frames.timeline']);
  for (const [id, { title, pace, fields, open }] of Object.entries(series))
    assert.ok(title !== '' && pace !== '' && Object.keys(fields).length + open.length > 0, id);
});

test('a controller declares what it traces, its unit in the name, and controllers that differ are told apart', () => {
  const fields = controllerFields([
    { id: 'a', traceFields: { targetBps: 'rate for the encoder', rttMs: 'newest', isIdle: '1 while idle' } },
    { id: 'b', traceFields: { targetBps: 'rate for the encoder', rttMs: 'smoothed', minRttMs: 'shortest' } },
    { id: 'c', traceFields: { rttMs: 'newest', stepGain: 'of a step', lossRatio: 'lost', mode: 'fast or slow' } },
  ]);
  const about = (name: string) => [fields[name]!.unit, fields[name]!.type, fields[name]!.about];
  assert.deepEqual(about('targetBps'), ['bit/s', 'number', 'rate for the encoder']);
  assert.deepEqual(about('rttMs'), ['ms', 'number', 'newest (a, c); smoothed (b)']);
  assert.deepEqual(about('isIdle'), ['', 'number', '1 while idle']);
  assert.deepEqual(about('stepGain'), ['', 'number', 'of a step']);
  assert.deepEqual(about('lossRatio'), ['ratio', 'number', 'lost']);
  assert.deepEqual(about('mode'), ['', 'text', 'fast or slow']);
  assert.match(about('minRttMs')[2]!, /^shortest \(b\); else shortest round trip of packet and feedback/);
  assert.deepEqual(Object.keys(fields).slice(0, 2), ['timeMs', 'inFlightBytes']);
});

test('every kind of packet is named', () => {
  for (const kind of packetKinds)
    assert.match(describeField(series, 'packets', 'kind')!.about, new RegExp(`\\b${kind}\\b`));
});

test('names say the unit that the dictionary says', () => {
  const units: Record<string, string[]> = {
    Ms: ['ms', 'ms since 1970'],
    Bps: ['bit/s'],
    Bytes: ['bytes'],
    Packets: ['packets'],
    Ratio: ['ratio', 'cores'],
    Percent: ['%'],
  };
  for (const [id, { fields }] of Object.entries(series)) {
    for (const [name, { unit, about }] of Object.entries(fields)) {
      assert.ok(about.length > 0, `${id}.${name}`);
      const suffix = /(Ms|Bps|Bytes|Packets|Ratio|Percent)$/.exec(name)?.[1];
      if (suffix !== undefined) assert.ok(units[suffix]!.includes(unit), `${id}.${name} is in ${unit}`);
    }
  }
});

test("members of the browser's statistics are described by where they are defined", () => {
  assert.match(describeField(series, 'stats', 'inbound.bytesReceived')!.about, /RTCInboundRtpStreamStats/);
  assert.match(
    describeField(series, 'caller', 'outbound.qualityLimitationDurations.cpu')!.about,
    /RTCOutboundRtpStreamStats/,
  );
  assert.equal(describeField(series, 'ping', 'rttMs')!.unit, 'ms');
  for (const [id, path] of [
    ['ping', 'inbound.x'],
    ['nonesuch', 'timeMs'],
    ['ping', 'constructor'],
    ['toString', 'length'],
  ] as const)
    assert.equal(describeField(series, id, path), undefined);
});

test('the dictionary is a table for each series, for people and programs', () => {
  const tables = dictionary([{ id: 'stall-time', title: 'Stalled | time', unit: 's', better: 'lower' }], series);
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
