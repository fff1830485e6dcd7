import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../../../core/errors.ts';
import type { Output } from '../../../../core/system/command.ts';
import { sleep, within } from '../../../../core/system/deadline.ts';
import { lookAtRules, rulesThere } from '../../../../shaper/topology/rules-watch.ts';
import { Watch } from '../../../../shaper/topology/watch.ts';

const everyMs = 5;

/** A watch over readings, the last of which repeats; resolves to the number of readings until the rules were lost. */
async function watched(...readings: (string[] | null | Error)[]) {
  let reads = 0;
  const { promise: lost, resolve } = Promise.withResolvers<CoexistError>();
  const read = async () => {
    const reading = readings[Math.min(reads++, readings.length - 1)]!;
    if (reading instanceof Error) throw reading;
    return reading;
  };
  const watch = new Watch([await lookAtRules(read)], resolve, everyMs);
  watch.begin();
  return { watch, lost, reads: () => reads };
}

const rules = ['table ip cx-1 {', 'drop'];

test('rules that are flushed, and a rule that is gone, are noticed; more rules are nothing', async () => {
  for (const left of [null, [], rules.slice(0, 1)]) {
    const { lost, reads } = await watched(rules, [...rules, 'of somebody else'], left);
    const error = await within(lost, 30_000, 'the loss to be noticed');
    assert.equal(error.code, 'uplink-lost');
    assert.match(
      error.line,
      /^the firewall rules .* were removed, so this access was closed\n {2}-> .*during a study, as .*$/,
    );
    const before = reads();
    assert.equal(before, 4, 'read again before it is believed');
    await sleep(4 * everyMs);
    assert.equal(reads(), before, 'it is told once, and nobody looks any more');
  }
});

test('a listing that fails once, and a program that does not answer, lose nothing; an ended watch is silent', async () => {
  const { watch, lost, reads } = await watched(rules, null, rules, new Error('no answer'), rules);
  let isLost = false;
  void lost.then(() => (isLost = true));
  while (reads() < 8) await sleep(everyMs);
  watch.end();
  const before = reads();
  await sleep(4 * everyMs);
  assert.ok(reads() <= before + 1);
  assert.equal(isLost, false);
});

test('a look that fails hides no change that another one finds, and an end during a look is silent', async () => {
  const { promise: told, resolve } = Promise.withResolvers<CoexistError>();
  const change = new CoexistError('uplink-lost', 'changed');
  const failing = () => Promise.reject(new Error('no answer'));
  new Watch([failing, async () => change], resolve, everyMs).begin();
  assert.equal(await within(told, 30_000, 'the change to be noticed'), change);

  let looks = 0;
  let isTold = false;
  const watch: Watch = new Watch(
    [
      async () => {
        if (++looks === 2) watch.end();
        return change;
      },
    ],
    () => (isTold = true),
    everyMs,
  );
  watch.begin();
  while (looks < 2) await sleep(everyMs);
  await sleep(4 * everyMs);
  assert.deepEqual([looks, isTold], [2, false]);
});

test('what cannot be watched is no way out', async () => {
  for (const reading of [null, []]) await assert.rejects(watched(reading), { code: 'no-internet' });
});

const answer = (stdout: string, status: number | null = 0): Output => ({
  status,
  signal: status === null ? 'SIGKILL' : null,
  stdout,
  stderr: '',
});

test('nftables lists the table; of iptables only what is ours is looked at', async () => {
  const of = { name: 'cx-00beef', network: '198.18.1.0/30' };
  assert.deepEqual(
    await rulesThere('nft', of, async argv => {
      assert.deepEqual(argv, ['nft', 'list', 'table', 'ip', 'cx-00beef']);
      return answer('table ip cx-00beef {\n}');
    }),
    ['table ip cx-00beef {', '}'],
  );
  assert.equal(await rulesThere('nft', of, async () => answer('', 1)), null);
  await assert.rejects(
    rulesThere('nft', of, async () => answer('', null)),
    { code: 'timed-out' },
  );
  const filter =
    '-P FORWARD ACCEPT\n-N cx-00beef\n-A FORWARD -i docker0 -j ACCEPT\n-A FORWARD -i eth7 ! -o cx-+ -j DROP\n' +
    '-A FORWARD -i cx-00beef -j cx-00beef\n-A FORWARD -i cx-00beef0 -j ACCEPT';
  const nat = '-A POSTROUTING -s 198.18.1.0/30 -o eth7 -j MASQUERADE\n-A POSTROUTING -s 172.17.0.0/16 -j MASQUERADE';
  const told = await rulesThere('iptables', of, async argv => answer(argv.includes('nat') ? nat : filter));
  assert.deepEqual(told, [
    '-N cx-00beef',
    '-A FORWARD -i eth7 ! -o cx-+ -j DROP',
    '-A FORWARD -i cx-00beef -j cx-00beef',
    '-A POSTROUTING -s 198.18.1.0/30 -o eth7 -j MASQUERADE',
  ]);
});
