/** Links that preflight passes or refuses, on hosts that all tests of a file share. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import type { Link } from '../../../core/vocabulary/link.ts';
import { preflightLink } from '../../../shaper/backend/preflight-link.ts';
import { summariseReadings } from '../../../shaper/calibrate/format.ts';
import type { PreflightLink } from '../../../shaper/calibrate/link.ts';
import { type PreflightResult, runPreflight } from '../../../shaper/calibrate/preflight.ts';
import { probeProgram } from '../../../shaper/calibrate/probe.ts';
import type { ReadingVerdict, StepName } from '../../../shaper/calibrate/readings.ts';
import { dumbbell, lease, shapedLink } from './hosts.ts';
import { independent, tcLink } from './links.ts';
import { cannotRun } from './run-command.ts';

export const skip = cannotRun ?? (existsSync(probeProgram) ? false : 'needs the native helper: npm run setup');
export const seed = 7;
export const spec = tcLink(40e6, { unit: 'packets', value: 300 });
/** A machine that other work disturbs gets that many tries. */
const tries = 4;

const tc = (...words: string[]) => dumbbell.hosts.router.run(['tc', ...words]);
const linkOf = (asked: Link) =>
  preflightLink(shapedLink, asked, asked.backend === 'auto' ? 'tc' : asked.backend, seed, dumbbell);

/** Measures until the machine lets it be measured, or for the last time. */
async function measured(link: PreflightLink, steps?: StepName[]): Promise<PreflightResult> {
  const once = () => runPreflight(link, { ...dumbbell, scratch: lease.scratch }, steps === undefined ? {} : { steps });
  let result = await once();
  for (let i = 1; i < tries && result.status === 'disturbed'; i++) result = await once();
  return result;
}

/** The link, but something is done to it each time it has been set. */
function spoilt(link: PreflightLink, spoil: () => Promise<unknown>): PreflightLink {
  return {
    ...link,
    reset: async mode => {
      await link.reset(mode);
      await spoil();
    },
  };
}

const idsOf = ({ readings }: PreflightResult, ...verdicts: ReadingVerdict[]) =>
  new Set(readings.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id));

const right = {
  packets: spec,
  'random loss': { ...spec, loss: independent(0.02) },
  'a limit in time, and slower': tcLink(8e6, { unit: 'ms', value: 100 }, 0.005),
  'the emulator': { ...spec, backend: 'emulator' },
} satisfies Record<string, Link>;

export type RightName = keyof typeof right;
export const rightNames = Object.keys(right) as RightName[];

/** A test that preflight passes that link. */
export function passes(name: RightName): void {
  const asked: Link = right[name];
  test(`passes: ${name}`, async context => {
    const result = await measured(linkOf(asked));
    if (result.status === 'disturbed')
      return context.skip(`the machine disturbed each of ${tries} tries: ${result.findings[0]!.message}`);
    assert.equal(result.status, 'passed', JSON.stringify(result.findings, null, 1));
    // a machine whose timers are late says so; the packets that were not late have shown that the link is right
    assert.deepEqual(
      result.findings.filter(({ status }) => status !== 'note'),
      [],
    );
    // the kernel's token bucket does not serialise: how far it does not is told and not judged
    const told = asked.backend === 'emulator' ? [] : ['serialisation', 'train-gaps'];
    assert.deepEqual(idsOf(result, 'skipped'), new Set(told));
    const mayBeLate = ['serialisation', 'train-gaps'];
    assert.deepEqual(
      result.readings.filter(
        ({ verdict, id }) => verdict !== 'ok' && !told.includes(id) && !(verdict === 'late' && mayBeLate.includes(id)),
      ),
      [],
    );
    assert.ok(result.readings.every(({ measured }) => measured !== null));
    assert.deepEqual(
      new Set(result.readings.map(({ id }) => id)),
      new Set([
        'delay-p50',
        'delay-p99',
        'idle-arrivals',
        'base-round-trip',
        'serialisation',
        'train-gaps',
        'train-dispersion',
        'train-rate',
        'line-rate-packets',
        'rate',
        'queue-plateau',
        'queue-count',
        'conservation',
        'delivery',
        'loss-ratio',
        'loss-list',
        ...(asked.loss !== null ? ['loss-count'] : []),
      ]),
    );
    assert.deepEqual(JSON.parse(JSON.stringify(result)), result, 'it can be written down');
    context.diagnostic(
      `${(result.durationMs / 1000).toFixed(1)} s, ${result.attempts.length} steps; ${summariseReadings(result.readings)}`,
    );
  });
}

type Wrong = { asked?: Link; link(asked: Link): PreflightLink; steps: StepName[]; refused: string[] };

const wrong = {
  'the rate is 2 % low': {
    steps: ['overload'],
    refused: ['rate'],
    link: asked =>
      spoilt(linkOf(asked), () =>
        tc(
          'class',
          'change',
          'dev',
          'toClient',
          'parent',
          '1:',
          'classid',
          '1:10',
          'htb',
          'rate',
          '39200kbit',
          'ceil',
          '39200kbit',
          'burst',
          '3028',
          'cburst',
          '1600',
        ),
      ),
  },
  'the rate is 2 % high': {
    steps: ['overload'],
    refused: ['rate'],
    link: asked =>
      spoilt(linkOf(asked), () =>
        tc(
          'class',
          'change',
          'dev',
          'toClient',
          'parent',
          '1:',
          'classid',
          '1:10',
          'htb',
          'rate',
          '40800kbit',
          'ceil',
          '40800kbit',
          'burst',
          '3028',
          'cburst',
          '1600',
        ),
      ),
  },
  'the queue holds two packets less': {
    steps: ['overload'],
    refused: ['queue-plateau', 'queue-count'],
    link: asked =>
      spoilt(linkOf(asked), () =>
        tc('qdisc', 'change', 'dev', 'toClient', 'parent', '1:10', 'handle', '10:', 'pfifo', 'limit', '298'),
      ),
  },
  'a bucket of ten packets was left on': {
    steps: ['trains'],
    refused: ['train-dispersion', 'line-rate-packets'],
    link: asked =>
      spoilt(linkOf(asked), () =>
        tc(
          'class',
          'change',
          'dev',
          'toClient',
          'parent',
          '1:',
          'classid',
          '1:10',
          'htb',
          'rate',
          '40mbit',
          'ceil',
          '40mbit',
          'burst',
          '15000',
          'cburst',
          '15000',
        ),
      ),
  },
  'a token bucket stands in for a link that serialises': {
    steps: ['serialisation', 'trains'],
    refused: ['serialisation', 'train-gaps', 'line-rate-packets'],
    link: asked => ({ ...linkOf(asked), bucketBytes: 0 }),
  },
  'packets are lost where none should be': {
    steps: ['delay', 'loss'],
    refused: ['idle-arrivals', 'loss-ratio', 'loss-list'],
    link: asked => ({
      ...linkOf(asked),
      reset: async () => void (await shapedLink.set({ ...asked, loss: independent(0.05) }, seed)),
    }),
  },
  'packets vanish under load': {
    steps: ['overload'],
    refused: ['conservation'],
    link: asked => ({
      ...linkOf(asked),
      reset: async () => void (await shapedLink.set({ ...asked, loss: independent(0.001) }, seed)),
    }),
  },
  'the losses are those of another seed': {
    asked: { ...spec, loss: independent(0.02) },
    steps: ['loss'],
    refused: ['loss-list'],
    link: asked => ({ ...linkOf(asked), reset: async () => void (await shapedLink.set(asked, seed + 1)) }),
  },
  'a path has a delay that nobody asked for, or lacks one': {
    steps: ['delay'],
    refused: ['delay-p50', 'base-round-trip'],
    link: asked => ({
      ...linkOf(asked),
      paths: linkOf(asked).paths.map(path => (path.from === 'server' ? { ...path, delayMs: 1 } : path)),
    }),
  },
} satisfies Record<string, Wrong>;

export type WrongName = keyof typeof wrong;
export const wrongNames = Object.keys(wrong) as WrongName[];

/** A test that preflight refuses that link, by the readings that name what is wrong. */
export function refuses(what: WrongName): void {
  const { asked = spec, link, steps, refused }: Wrong = wrong[what];
  test(what, async context => {
    const result = await measured(link(asked), steps);
    // beside a disturbance a reading fails as well, but blames nobody
    const failed = idsOf(result, 'refused', 'repeat');
    for (const id of refused) assert.ok(failed.has(id), `${id} is not among ${[...failed].join(', ')}`);
    if (result.status === 'disturbed')
      return context.skip(
        `the machine disturbed each of ${tries} tries: ${result.findings.find(({ status }) => status === 'invalid')?.message}`,
      );
    assert.equal(result.status, 'refused', summariseReadings(result.readings));
    assert.ok(
      refused.some(id => idsOf(result, 'refused').has(id)),
      [...idsOf(result, 'refused')].join(', '),
    );
    assert.ok(
      result.findings.some(
        ({ kind, status, message }) =>
          kind === 'link' && status === 'invalid' && message.startsWith('the link is not what was asked for: '),
      ),
    );
  });
}
