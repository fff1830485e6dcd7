import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../../../core/errors.ts';
import {
  check,
  choice,
  duration,
  integer,
  object,
  queueLimit,
  rate,
  ratio,
  size,
  text,
  z,
} from '../../../../core/schema/schema.ts';

const schema = object({
  rate: rate({ min: 1000, max: 1e9 }),
  loss: ratio().default(0),
  wait: duration({ min: 0 }).default(5),
  flows: integer({ min: 1, max: 8 }).default(1),
  queue: object({ limit: queueLimit() }).default({ limit: { unit: 'packets', value: 5 } }),
  kind: choice(['a', 'b']).default('a'),
});

const refused = (value: unknown) => {
  try {
    check(schema, value, 'link');
  } catch (error) {
    assert.ok(error instanceof CoexistError);
    assert.equal(error.code, 'bad-definition');
    return error.message;
  }
  return assert.fail('was accepted');
};

test('text with units becomes numbers, defaults fill in', () => {
  assert.deepEqual(check(schema, { rate: '40mbit', loss: '2%' }, 'link'), {
    rate: 40e6,
    loss: 0.02,
    wait: 5,
    flows: 1,
    queue: { limit: { unit: 'packets', value: 5 } },
    kind: 'a',
  });
});

test('a number without its unit is answered with the number and the unit that it was probably meant in', () => {
  const times = object({
    rtt: duration({ min: 0, max: 10_000 }).optional(),
    window: duration({ min: 1000 }).optional(),
    rate: rate({ min: 1000, max: 1e9 }).optional(),
    loss: ratio().optional(),
    bytes: size({ min: 1000 }).optional(),
  });
  const likeOf = (value: object) => {
    try {
      check(times, value, 'it');
    } catch (error) {
      return /write it like "(.*)"$/.exec((error as Error).message)?.[1];
    }
    return undefined;
  };
  for (const [value, like] of [
    [{ rtt: 40 }, '40ms'],
    [{ rtt: '40' }, '40ms'],
    [{ rtt: '0.5' }, '0.5ms'],
    [{ window: 40 }, '40s'],
    [{ window: 5000 }, '5000ms'],
    [{ rate: 40 }, '40mbit'],
    [{ rate: 5e6 }, '5000000bit'],
    [{ loss: 2 }, '2%'],
    [{ bytes: 64 }, '64kB'],
    [{ bytes: 64_000 }, '64000bytes'],
    [{ rtt: 'forty' }, '40s'],
    [{ rate: -1 }, '40mbit'],
  ] as const)
    assert.equal(likeOf(value), like, JSON.stringify(value));
});

test('each kind of mistake is one line that names the path and an example', () => {
  assert.equal(refused({ rate: '40 apples' }), 'link: rate: "40 apples" is not a rate; write it like "40mbit"');
  assert.equal(refused({ rate: 40 }), 'link: rate: 40 is not a rate; write it like "40mbit"');
  assert.equal(refused({ rate: '-4mbit' }), 'link: rate: "-4mbit" is out of range; it must be at least 1 kbit/s');
  assert.equal(refused({ rate: '4gbit' }), 'link: rate: "4gbit" is out of range; it must be at most 1 Gbit/s');
  assert.equal(
    refused({ rate: '1mbit', loss: '200%' }),
    'link: loss: "200%" is out of range; it must be at most 100 %',
  );
  assert.equal(refused({ rate: '1mbit', flows: 2.5 }), 'link: flows: 2.5 is not a whole number');
  assert.equal(refused({ rate: '1mbit', flows: 'many' }), 'link: flows: "many" is not a number');
  assert.equal(refused({ rate: '1mbit', flows: 9 }), 'link: flows: 9 is out of range; it must be at most 8');
  assert.equal(
    refused({ rate: '1mbit', queue: { limit: '0packets' } }),
    'link: queue.limit: "0packets" leaves no queue; the limit must be more than 0',
  );
  assert.equal(refused({ rate: '1mbit', kind: 'c' }), 'link: kind: "c" is not one of a, b');
  assert.throws(() => check(choice(['median', 'interval']), 'intervall', 'judge'), {
    message: 'judge: "intervall" is not one of median, interval; did you mean "interval"?',
  });
});

test('what is missing is said to be so, with what to write', () => {
  assert.equal(refused({}), 'link: rate is missing; write it like "40mbit"');
  assert.equal(refused(undefined), 'link is missing; write it like { rate: "40mbit" }');
  assert.match(refused({ rate: '1mbit', queue: {} }), /^link: queue\.limit is missing; write it like "1000packets"/);
  const named = object({
    source: text().describe('Paper that the study follows; `own` where there is [none](#none). Not a link.'),
    flows: integer({ min: 2, max: 8 }),
  });
  assert.throws(() => check(named, {}, 'study'), {
    message: 'study: source is missing; write a text: paper that the study follows; own where there is none',
  });
  assert.throws(() => check(named, { source: 'x' }, 'study'), {
    message: 'study: flows is missing; write it like 2',
  });
});

test('where an object or a list is wanted, it is said what to write', () => {
  assert.equal(
    refused({ rate: '1mbit', queue: '50ms' }),
    'link: queue: "50ms" is not an object; write it like { limit: "50ms" }',
  );
  assert.equal(
    refused({ rate: '1mbit', queue: 'much' }),
    'link: queue: "much" is not an object; write it like { limit: "50ms" }',
  );
  const shapes = object({
    service: z.looseObject({ id: text() }).optional(),
    steps: z.array(object({ at: duration(), rate: rate() })).optional(),
    uses: z.record(z.string(), object({ wait: duration() })).optional(),
    pcap: z.boolean().default(false),
  });
  const said = (value: unknown) => {
    try {
      check(shapes, value, 'it');
    } catch (error) {
      return (error as Error).message;
    }
    return assert.fail('was accepted');
  };
  assert.equal(said({ service: 'clip' }), 'it: service: "clip" is not an object; write it like { id: "clip" }');
  assert.equal(said({ steps: 5 }), 'it: steps: 5 is not a list; write it like [{ at: "40s", rate: "40mbit" }]');
  assert.equal(said({ uses: [] }), 'it: uses: [] is not an object; write it like { NAME: { wait: "40s" } }');
  assert.equal(said({ pcap: 'yes' }), 'it: pcap: "yes" is not true or false');
});

test('an unknown key is refused with the one that was meant', () => {
  assert.match(refused({ rate: '1mbit', los: '1%' }), /unknown key "los"; did you mean "loss"\?/);
  assert.match(refused({ rate: '1mbit', zzzzzz: 1 }), /unknown key "zzzzzz" \(known: rate, loss/);
});

test('a value of a stranger is refused on one short line, whatever it is', () => {
  const shape = object({ on: z.boolean() });
  const itself: unknown[] = [];
  itself.push(itself);
  for (const on of [10n, itself, () => 1, Symbol('on'), 'x'.repeat(1e6), new Map([[1, 1n]])])
    assert.throws(
      () => check(shape, { on }, 'it'),
      error => error instanceof CoexistError && /^it: on: .* is not true or false$/.test(error.message),
    );
  assert.throws(
    () => check(shape, { on: true, [`a\n${'b'.repeat(1e7)}`]: 1 }, 'it'),
    error => error instanceof CoexistError && error.message.length < 200 && !error.message.includes('\n'),
  );
});
