import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainLink } from '../../../../core/vocabulary/link.ts';
import { type Change, readControlMessage } from '../../../../harness/demo/messages.ts';
import {
  changed,
  controlsOf,
  drainMs,
  linkChange,
  obstacleOf,
  readyFlood,
  type Settings,
} from '../../../../harness/demo/settings.ts';

const first: Settings = {
  flood: 'none',
  flows: 1,
  rateBps: 33e6,
  queue: { unit: 'packets', value: 1000 },
  lossRatio: 0.015,
};
const kinds = [
  { name: 'bbr3', label: 'BBRv3', obstacle: null },
  { name: 'cubic', label: 'CUBIC', obstacle: 'this kernel has none' },
];

test('every choice that is offered is a change that is understood, and comes back as what is chosen', () => {
  for (const { setting, choices, chosen } of controlsOf(first, first, kinds)) {
    assert.ok(
      choices.some(({ value }) => value === chosen),
      `${setting}: ${chosen}`,
    );
    for (const { value } of choices) {
      const change = readControlMessage(Buffer.from(JSON.stringify({ type: 'set', setting, value })), false);
      assert.notEqual(change.type, 'invalid', `${setting} ${value}`);
      const after = controlsOf(changed(first, change as Change), first, kinds).find(
        control => control.setting === setting,
      )!;
      assert.equal(after.chosen, value);
    }
  }
});

test('first values that are none of the usual ones are offered in their place', () => {
  const [flood, , rate, queue, loss] = controlsOf(first, first, kinds);
  assert.deepEqual(
    flood!.choices.map(({ label, obstacle }) => [label, obstacle]),
    [
      ['none', null],
      ['BBRv3', null],
      ['CUBIC', 'this kernel has none'],
    ],
  );
  assert.deepEqual(
    rate!.choices.map(({ label }) => label),
    ['2', '5', '10', '20', '33', '40', '80'],
  );
  assert.deepEqual(
    queue!.choices.map(({ value }) => value),
    ['20packets', '50packets', '100packets', '300packets', '1000packets'],
  );
  assert.deepEqual(
    loss!.choices.map(({ label }) => label),
    ['0 %', '0.5 %', '1 %', '1.5 %', '2 %', '5 %'],
  );
});

test('a limit keeps its unit', () => {
  const inMs: Settings = { ...first, queue: { unit: 'ms', value: 250 } };
  assert.deepEqual(
    controlsOf(inMs, inMs, kinds)[3]!.choices.map(({ value, label }) => [value, label]),
    [
      ['10ms', '10 ms'],
      ['50ms', '50 ms'],
      ['100ms', '100 ms'],
      ['250ms', '250 ms'],
      ['300ms', '300 ms'],
      ['1000ms', '1000 ms'],
    ],
  );
});

test('the link is told rate, limit and loss, and no loss where there is none', () => {
  assert.deepEqual(linkChange(first, 'after'), {
    rateBps: 33e6,
    queue: first.queue,
    loss: { kind: 'independent', ratio: 0.015, where: 'after' },
  });
  assert.equal(linkChange({ ...first, lossRatio: 0 }, 'before').loss, null);
});

test('a queue that holds no packet is refused', () => {
  const link = plainLink(33e6, first.queue);
  assert.equal(obstacleOf(link, first), null);
  assert.equal(
    obstacleOf(link, { ...first, rateBps: 64e3, queue: { unit: 'ms', value: 10 } }),
    'the queue must hold at least one full packet',
  );
});

test('a queue as time', () => assert.equal(drainMs(1_514_000, 40e6), 302.8));

test('one button starts the flood that is ready, and ends the one that runs', () => {
  assert.deepEqual(readyFlood(first, 'bbr3', kinds), {
    value: 'bbr3',
    label: 'Start the flood: BBRv3',
    obstacle: null,
  });
  assert.deepEqual(readyFlood(first, 'cubic', kinds).obstacle, 'this kernel has none');
  assert.deepEqual(readyFlood({ ...first, flood: 'bbr3' }, 'cubic', kinds), {
    value: 'none',
    label: 'Stop the flood',
    obstacle: null,
  });
});
