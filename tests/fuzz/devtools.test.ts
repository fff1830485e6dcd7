/**
 * Whatever a browser writes into its pipe, who asked it something has an answer of the form that was asked for, or an
 * error of the catalogue: nobody waits, and nothing is thrown past the one who asked.
 */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { CoexistError } from '../../core/errors.ts';
import { BarePage } from '../../harness/trial/browser/bare.ts';
import { DevTools } from '../../harness/trial/browser/devtools.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';
import { changed } from './json.ts';

const seed = 20261127;

/** An error that a person can read in a line. */
function isRefusal(error: unknown): void {
  assert.ok(error instanceof CoexistError, (error as Error).stack ?? String(error));
  assert.ok(['browser-died', 'browser-failed'].includes(error.code), error.code);
  assert.ok(!error.message.includes('\n') && error.message.length < 1000, error.message);
}

type Asked = { id: number; method: string };
/** What a browser answers, by what it is asked. */
const answers: Record<string, object> = {
  'Page.navigate': { frameId: 'F', loaderId: 'L', errorText: '' },
  'Page.getFrameTree': { frameTree: { frame: { id: 'F', url: 'about:blank' }, childFrames: [] } },
  'Page.createIsolatedWorld': { executionContextId: 7 },
  'Runtime.evaluate': { result: { type: 'object', value: { loadMs: 5 } } },
};
const failed = {
  result: { type: 'object' },
  exceptionDetails: { text: 'Uncaught', exception: { description: 'E\n  at' } },
};
const said = { method: 'Page.screencastFrame', sessionId: 'S', params: { data: 'AAAA', metadata: { timestamp: 5.5 } } };

/** Makes the message that answers another one: the usual one, or what became of it. */
type Reply = (asked: Asked) => Buffer;
const framed = (message: unknown) => Buffer.from(`${JSON.stringify(message)}\0`);
const usual = ({ id, method }: Asked) => ({ id, sessionId: 'S', result: answers[method] ?? {} });
const reply: fc.Arbitrary<Reply> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Reply>(asked => framed(usual(asked))) },
  // the change is drawn for one message and made to each
  {
    weight: 4,
    arbitrary: fc.nat().map(
      (which): Reply =>
        asked =>
          framed(fc.sample(changed([usual(asked)]), { seed: which, numRuns: 1 })[0]),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Reply>(({ id }) => framed({ id, result: failed })) },
  {
    weight: 1,
    arbitrary: fc.constant<Reply>(({ id }) => framed({ id, error: { code: 1, message: 'a\nb'.repeat(999) } })),
  },
  {
    weight: 2,
    arbitrary: changed([said]).map(
      (event): Reply =>
        asked =>
          Buffer.concat([framed(event), framed(usual(asked))]),
    ),
  },
  {
    weight: 1,
    arbitrary: damaged([framed(said), framed({ id: 1, result: {} })]).map(
      (bytes): Reply =>
        () =>
          bytes,
    ),
  },
  {
    weight: 1,
    arbitrary: anyBytes(40).map(
      (bytes): Reply =>
        () =>
          bytes,
    ),
  },
);

/** A browser that replies to one message after another, and refuses what it has not answered. */
function browser(replies: readonly Reply[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const failures: CoexistError[] = [];
  const devtools = new DevTools(input, output, error => failures.push(error));
  let k = 0;
  input.setEncoding('utf8').on('data', (text: string) => {
    for (const part of text.split('\0').filter(one => one !== '')) {
      const asked = JSON.parse(part) as Asked;
      output.write(replies[k++ % replies.length]!(asked));
      output.write(framed({ id: asked.id, error: { message: 'it has no answer' } }));
    }
  });
  return { devtools, failures };
}

const thrown: unknown[] = [];
const onThrown = (error: unknown) => thrown.push(error);
process.on('uncaughtException', onThrown);
after(() => process.off('uncaughtException', onThrown));

test('what a browser says', async () => {
  const seen = { answers: 0, refusals: 0, failures: 0, events: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(reply, { minLength: 1, maxLength: 4 }), async replies => {
      const { devtools, failures } = browser(replies);
      devtools.on('Page.screencastFrame', 'S', params => {
        assert.ok(typeof params === 'object' && params !== null);
        seen.events++;
        void (params as { data: string }).data.length;
      });
      const page = new BarePage(devtools, 'S');
      for (const ask of [() => page.goTo('about:blank', 'the page', 5000), () => page.askIsolated('x')])
        await ask().then(
          () => seen.answers++,
          (error: unknown) => {
            seen.refusals++;
            isRefusal(error);
          },
        );
      assert.ok(failures.length <= 1, 'a browser fails once');
      seen.failures += failures.length;
      failures.forEach(isRefusal);
      if (failures.length > 0) await assert.rejects(devtools.send('A'), failures[0]);
      assert.deepEqual(thrown, []);
    }),
    effort(seed, 350),
  );
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 8, `${what}: ${count}`);
});

test('messages arrive whole however their bytes are cut', async () => {
  const message = fc.record({ text: fc.string({ unit: 'binary' }), number: fc.nat() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { maxLength: 5 }),
      fc.array(fc.nat(200), { maxLength: 8 }),
      async (all, places) => {
        const output = new PassThrough();
        const devtools = new DevTools(new PassThrough(), output, error => assert.fail(error.message));
        const got: object[] = [];
        devtools.on('E', undefined, params => got.push(params));
        const bytes = Buffer.concat(all.map(params => framed({ method: 'E', params })));
        const at = [0, ...places.map(place => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
        for (const [k, end] of at.slice(1).entries()) {
          output.write(bytes.subarray(at[k], end));
          await new Promise(setImmediate);
        }
        // lone surrogates have no UTF-8
        assert.deepEqual(got, JSON.parse(JSON.stringify(all).toWellFormed()));
      },
    ),
    effort(seed, 100),
  );
});
