import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../../../core/errors.ts';
import { findFloodKinds } from '../../../../harness/demo/flood-kinds.ts';
import { FloodSwitch } from '../../../../harness/demo/flood-switch.ts';
import { serviceOf } from '../../../../harness/services/bound-service.ts';
import { plugin as iperf } from '../../../../harness/services/iperf/index.ts';
import type { Preparation, TrialContext } from '../../../../harness/services/service.ts';

type FloodParams = { congestionControl: string; flows: number };
type Log = { started: object[]; stopped: number; die: (error: Error) => void };

/** A flood that does nothing but say so; "odd" is not what it says. */
function prepared(log: Log): Preparation<FloodParams> {
  return {
    close: async () => {},
    async open(_trial, params) {
      const { congestionControl, flows } = params;
      if (congestionControl === 'missing') throw new CoexistError('missing-congestion-control', 'there is none');
      log.started.push(params);
      const failed = Promise.withResolvers<never>();
      failed.promise.catch(() => {});
      log.die = failed.reject;
      let reads = 0;
      return {
        failed: failed.promise,
        readyMs: 0,
        stop: async () => {
          log.stopped++;
        },
        describe: () => ({}),
        clocks: () => Promise.reject(new Error('no clocks')),
        collect: async () => {
          if (congestionControl === 'odd') throw new CoexistError('service-failed', 'it is not odd');
          if (reads++ > 0) throw new Error('no sockets');
          return { framesPerSecond: 0, goodputBps: 0, lost: false };
        },
        transport: () => {
          return {
            label: 'BBRv1',
            evidence: '',
            flows: Array.from({ length: flows }, (_, port) => ({
              port,
              congestionControl,
              startMs: 0,
              retransmittedBytes: 0,
              sentBytes: 0,
              receivedBytes: 0,
            })),
          };
        },
      };
    },
  };
}

function switchOf(): { flood: FloodSwitch; log: Log } {
  const log: Log = { started: [], stopped: 0, die: () => {} };
  const preparation = prepared(log);
  const service = (params: FloodParams) => ({
    use: () => ({ open: (trial: TrialContext) => preparation.open(trial, params) }),
  });
  return { flood: new FloodSwitch(Promise.resolve(preparation), {} as TrialContext, service), log };
}

test('a flood takes the place of the one before, and is called by what was read back', async () => {
  const { flood, log } = switchOf();
  assert.equal(flood.label, 'no flood');
  await flood.set({ flood: 'bbr', flows: 5 });
  assert.equal(flood.label, 'BBRv1, 5 flows');
  await flood.set({ flood: 'bbr', flows: 1 });
  assert.equal(flood.label, 'BBRv1, 1 flow');
  assert.deepEqual(
    [log.started, log.stopped],
    [
      [
        { congestionControl: 'bbr', flows: 5 },
        { congestionControl: 'bbr', flows: 1 },
      ],
      1,
    ],
  );
  await flood.sample(); // its sockets are just going: nothing to say
  await flood.set({ flood: 'none', flows: 1 });
  assert.deepEqual([flood.label, log.stopped], ['no flood', 2]);
});

test('where it does not start, or is another, there is none', async () => {
  const { flood, log } = switchOf();
  await assert.rejects(flood.set({ flood: 'missing', flows: 1 }), { code: 'missing-congestion-control' });
  await assert.rejects(flood.set({ flood: 'odd', flows: 1 }), { code: 'service-failed' });
  assert.deepEqual([flood.label, log.stopped], ['no flood', 1]);
});

test('one that dies is told of, one that was ended is not', async () => {
  const { flood, log } = switchOf();
  const died: string[] = [];
  flood.onDied = reason => died.push(reason);
  await flood.set({ flood: 'bbr', flows: 1 });
  const dieBefore = log.die;
  await flood.set({ flood: 'bbr', flows: 2 });
  dieBefore(new Error('the first'));
  log.die(new Error('the second'));
  await new Promise(setImmediate);
  assert.deepEqual([died, flood.label], [['the second'], 'no flood']);
});

test('each kind is offered with what keeps this machine from it', async () => {
  const kinds = await findFloodKinds(
    serviceOf({
      ...iperf,
      check: async ({ congestionControl }) => {
        if (congestionControl === 'bbr3') throw new CoexistError('missing-congestion-control', 'no BPF here');
      },
    }),
    'vegas',
  );
  const bbr = kinds.find(({ name }) => name === 'bbr')!;
  assert.match(bbr.label, /^(BBRv[12]|BBRv3 of the kernel)$/); // the kernel says which
  assert.deepEqual(kinds, [
    { name: 'bbr3', label: 'BBRv3', obstacle: 'no BPF here' },
    { name: 'bbr', label: bbr.label, obstacle: null },
    { name: 'cubic', label: 'CUBIC', obstacle: null },
    { name: 'reno', label: 'Reno', obstacle: null },
    { name: 'vegas', label: 'Vegas', obstacle: null },
  ]);
});

test("the kernel's own BBRv3 has a label that tells it from the one that is loaded", async () => {
  const kinds = await findFloodKinds(serviceOf({ ...iperf, check: async () => {} }), 'bbr3-kernel');
  assert.equal(kinds.find(({ name }) => name === 'bbr3-kernel')!.label, 'BBRv3 of the kernel');
});
