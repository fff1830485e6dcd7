import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { until } from '../../../../core/system/deadline.ts';
import { MachineTurn } from '../../../../core/system/machine-turn.ts';
import { checkTurnOptions, takeTurn } from '../../../../harness/cli/take-turn.ts';
import { temporaryFolder } from '../support/folder.ts';

const taken = /this machine is taken by experiment hello, results in runs\/x \(process \d+, since \d\d:\d\d:\d\d\)/;

function taking(options: { beside?: boolean; wait?: boolean } = {}, sayAgainMs = 60_000) {
  const folder = temporaryFolder();
  const said: string[] = [];
  const end = new AbortController();
  const take = () =>
    takeTurn({
      ...options,
      what: 'own',
      say: text => said.push(text),
      signal: end.signal,
      folder,
      lookMs: 10,
      sayAgainMs,
    });
  return { folder, said, end, take };
}

describe('a study that finds another one', () => {
  test('waits for its end, as with --wait, and says for whom and what helps', async () => {
    for (const options of [{}, { wait: true }]) {
      const { folder, said, take } = taking(options);
      const first = MachineTurn.take('experiment hello, results in runs/x', folder);
      let turn: MachineTurn | undefined;
      const waiting = take().then(come => (turn = come));
      await until(() => (said.length > 0 ? true : undefined), 30_000, 'a word');
      assert.match(said[0]!, new RegExp(`^waiting: ${taken.source}\n {2}-> .*Ctrl-C.*--beside`));
      assert.equal(turn, undefined);
      first.release();
      await waiting;
      assert.match(said[1]!, /^the machine is free after \d+ s$/);
      assert.equal(said.length, 2);
      turn!.release();
      assert.deepEqual(readdirSync(folder), []);
    }
  });

  test('says it again when it waits for long', async () => {
    const { folder, said, end, take } = taking({}, 30);
    const first = MachineTurn.take('experiment hello, results in runs/x', folder);
    const waiting = take();
    await until(() => (said.length > 1 ? true : undefined), 30_000, 'a second word');
    assert.match(said[1]!, new RegExp(`^still waiting: ${taken.source}`));
    end.abort(new Error('Ctrl-C'));
    await assert.rejects(waiting, /Ctrl-C/);
    first.release();
    assert.deepEqual(readdirSync(folder), [], 'who gave up waiting left nothing');
  });

  test('runs at once with --beside, and says beside whom', async () => {
    const { folder, said, take } = taking({ beside: true });
    const first = MachineTurn.take('experiment hello, results in runs/x', folder);
    const turn = await take();
    assert.match(said.join('\n'), new RegExp(`^${taken.source}: trials at the same time disturb each other`));
    // a third study waits for both others
    assert.equal(MachineTurn.take('third', folder).ahead.length, 2);
    first.release();
    turn.release();
  });

  test('has nothing to say where it is alone', async () => {
    for (const options of [{}, { wait: true }, { beside: true }]) {
      const { said, take } = taking(options);
      (await take()).release();
      assert.deepEqual(said, []);
    }
  });
});

test('--wait and --beside exclude each other', () => {
  assert.throws(() => checkTurnOptions({ wait: true, beside: true }), { code: 'usage' });
  for (const values of [{}, { wait: true }, { beside: true }]) checkTurnOptions(values);
});
