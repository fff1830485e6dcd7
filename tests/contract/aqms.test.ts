/** What every AQM has to keep: each folder in shaper/aqm/. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AqmLimit, EmulatedAqm } from '../../shaper/aqm/aqm.ts';
import { loadAqms } from '../../shaper/aqm/bound-aqm.ts';
import { underLaw } from '../../shaper/calibrate/laws/queue.ts';
import { skip } from '../unit/shaper/support/link-make.ts';
import { buildReplay, type Replayed, replay } from '../unit/shaper/support/replay.ts';
import { hasSoundParameters, saysWhatItIs } from './support/plugin.ts';

const aqms = await loadAqms();
const limits: AqmLimit[] = [
  { unit: 'packets', packets: 1000, bytes: 1_514_000, ecn: false },
  { unit: 'bytes', packets: 33, bytes: 50_000, ecn: false },
];

test('there is a FIFO', () => assert.ok(aqms.has('fifo')));

for (const [id, plugin] of aqms) {
  const aqm = plugin.bind({}, id);

  test(`${id}: says what it is`, () => saysWhatItIs(plugin, id));

  test(`${id}: its parameters are sound`, () => hasSoundParameters(plugin));

  test(`${id}: somebody can form it`, () =>
    assert.ok(
      aqm.tc(limits[0]!) !== null || aqm.emulated !== null,
      'tc and emulate both give null: no link backend can form it',
    ));

  test(`${id}: its law, where it says one, has times that a preflight can reckon with`, () => {
    const law = aqm.law(1514);
    if (law === null) return;
    const { kind, ...numbers } = law;
    assert.ok(['tail', 'codel', 'pie', 'dualpi2'].includes(kind), kind);
    for (const [name, value] of Object.entries(numbers))
      assert.ok(name === 'sparedBytes' ? value >= 0 : value > 0, `${name}: ${value}`);
    // a queue that may not stand longer than it is measured for could never be measured
    assert.equal(underLaw(law, { slotMs: 1, countedBytes: 1514, largestBytes: 1514 }, [1, 100, 200]).drops.length, 0);
  });

  test(`${id}: tc's words are one line that holds the limit, and no fractions, which tc does not read`, () => {
    for (const limit of limits) {
      const leaf = aqm.tc(limit);
      if (leaf === null) continue;
      assert.match(leaf.kind, /^[a-z0-9_]+$/);
      assert.match(leaf.words, /^[a-z0-9_ -]+$/);
      assert.ok(
        [limit.packets, limit.bytes].some(value => leaf.words.split(' ').includes(String(value))),
        `tc's words are "${leaf.words}"; the limit must be in them: ${limit.packets} packets or ${limit.bytes} bytes`,
      );
    }
  });

  test(`${id}: mm-link has it with arguments in whole numbers, or it is said why not`, () => {
    if (typeof aqm.shell === 'string') return assert.match(aqm.shell, /^mm-link/);
    for (const [name, value] of Object.entries(aqm.shell.args)) {
      assert.match(name, /^[a-z_]+$/);
      assert.ok(Number.isInteger(value) && value > 0, `${name}: ${value}`);
    }
  });

  test(`${id}: it marks, or drops, or either; what it cannot do it refuses with a reason`, () => {
    const refusals = [true, false].map(ecn => aqm.refuse({ ...limits[0]!, ecn })).filter(refusal => refusal !== null);
    assert.ok(refusals.length < 2, `it refuses with ECN and without: ${refusals.join('; ')}`);
    for (const refusal of refusals) assert.match(refusal, /^[a-zA-Z].*link\.queue\.ecn/);
  });
}

let built: Promise<unknown> | undefined;

/** Three packets at a link with that queue, one after the other. */
async function sentTo(aqm: EmulatedAqm, ecn: boolean): Promise<Replayed> {
  built ??= buildReplay();
  await built;
  return replay(
    {
      seed: 1,
      overheadBytes: 14,
      paths: [{ direction: 'down', peer: '10.0.1.2', delayUs: 0 }],
      bottleneck: { rateBps: 10e6, limitPackets: 100, limitBytes: null, aqm, ecn },
    },
    [1, 2, 3].map(second => ({
      timeNs: second * 1e9,
      direction: 'down',
      source: '10.0.1.2',
      destination: '10.0.2.2',
      ipBytes: 1500,
      port: 5000,
      ecn: 0,
    })),
    [],
  );
}

for (const [id, plugin] of aqms) {
  const { emulated, refuse } = plugin.bind({}, id);
  if (emulated === null) continue;
  const ecn = refuse({ ...limits[0]!, ecn: false }) !== null;

  test(`${id}: the emulator has what it says, and lets a packet pass that is alone`, { skip }, async () => {
    assert.deepEqual(JSON.parse(JSON.stringify(emulated)), emulated);
    assert.deepEqual((await sentTo(emulated, ecn)).counted.down, {
      inPackets: 3,
      sentPackets: 3,
      droppedPackets: 0,
      markedPackets: 0,
    });
  });

  test(`${id}: the emulator refuses a parameter that it does not know, by its name`, { skip }, async () => {
    const message = /: set\.bottleneck\.aqm\.noSuchUs: is not known here$/;
    await assert.rejects(sentTo({ ...emulated, noSuchUs: 1 }, ecn), { message });
  });
}

test('a kind that the emulator does not have is refused with those that it has', { skip }, async () => {
  const kinds = [...aqms.values()].flatMap(plugin => plugin.bind({}, plugin.id).emulated?.kind ?? []);
  await assert.rejects(sentTo({ kind: 'no-such' }, false), ({ message }: Error) => {
    const [, names] = /: set\.bottleneck\.aqm\.kind: must be one of ([^\n]*)$/.exec(message) ?? [];
    return kinds.every(kind => names?.split(', ').includes(JSON.stringify(kind)));
  });
});
