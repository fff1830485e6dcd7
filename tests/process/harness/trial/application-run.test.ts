import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CoexistError } from '../../../../core/errors.ts';
import { sleep, until } from '../../../../core/system/deadline.ts';
import type { Network } from '../../../../core/system/network.ts';
import { senderSeries } from '../../../../harness/record/series/sender.ts';
import { serviceSeries } from '../../../../harness/record/series/service.ts';
import type { PreparedService, RunningService, TrialContext } from '../../../../harness/services/service.ts';
import { ApplicationRun } from '../../../../harness/trial/application-run.ts';
import { fakeHost } from '../../../unit/harness/support/fake-host.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';
import { application, sender } from '../../../unit/harness/support/record.ts';
import { VirtualClock } from '../../../unit/support/virtual-clock.ts';

const folder = temporaryFolder();
const hosts = {
  server: fakeHost('true'),
  client: fakeHost('true', '', 'client'),
};
const network: Network = { hosts, addresses: { server: '10.0.1.2', client: '10.0.2.2' } };

let runs = 0;
function run(prepared: PreparedService, on = network): ApplicationRun {
  const directory = join(folder, String(++runs));
  return new ApplicationRun({
    application: application('mine', 'video-call', 'live-clip', {}),
    caption: 'MINE',
    network: on,
    prepared,
    directory,
  });
}
const written = (file: string) => readFileSync(join(folder, String(runs), 'applications', 'mine', file), 'utf8');

/** Returns a service that writes a record of its kind once a second. `done`: calls to the service. */
function service(change: Partial<RunningService> = {}): { prepared: PreparedService; done: string[] } {
  const done: string[] = [];
  const prepared = {
    open: async (trial: TrialContext): Promise<RunningService> => ({
      failed: new Promise<never>(() => {}),
      readyMs: 5,
      collect: async () => {
        trial.write(serviceSeries, { timeMs: 7, kind: 'transfer', receivedBytes: 1, flows: 1 });
        return { framesPerSecond: 0, goodputBps: 8e6, lost: false };
      },
      clocks: async () => ({ server: { offsetMs: 0, uncertaintyMs: 0 }, page: { offsetMs: 0, uncertaintyMs: 0 } }),
      transport: () => null,
      describe: () => ({ made: 'up' }),
      stop: async () => {
        done.push('stopped');
      },
      ...change,
    }),
  };
  return { prepared, done };
}

test('it takes down what its service tells, and stops it', async () => {
  const { prepared, done } = service();
  const own = run(prepared);
  assert.equal(own.isOpen, false);
  await own.open();
  assert.equal(own.isOpen, true);
  assert.equal((await own.collect()).goodputBps, 8e6);
  await own.describe();
  await own.stop();
  own.media(
    [{ timeMs: 1, payloadTypes: [96], sequences: [7], offeredMs: [0], sojournMs: [3], queuePackets: [2], dropped: [] }],
    1000,
  );
  await own.series.close();
  assert.match(written('queue.media.jsonl'), /^\{"timeMs":1,"payloadTypes":\[96\].*\}\n$/);
  assert.deepEqual([own.file.readyMs, own.file.facts, done], [5, { made: 'up' }, ['stopped']]);
  assert.equal(written('service.jsonl'), '{"timeMs":7,"kind":"transfer","receivedBytes":1,"flows":1}\n');
  const phases = { preparedMs: 0, readyMs: 1, windowStartMs: 1, windowEndMs: 5000, endMs: 5001 };
  own.file.stopMs = 5000;
  const host = { timeMs: 900, cores: 2, busyRatio: 1, stealRatio: 0, wakeUpDelayMaxMs: 1, harnessDelayMaxMs: 1 };
  assert.deepEqual(
    own.findings(phases, [host]).map(({ message }) => message),
    ['MINE: there are no readings of the sender and the page in the window'],
  );
});

test('media that its server counts as sent and that never came to the bottleneck void the trial', async () => {
  const { prepared } = service();
  const own = run({
    ...prepared,
    open: async trial => {
      trial.write(senderSeries, { ...sender(1000), sentPackets: 30 });
      trial.write(senderSeries, { ...sender(3000), sentPackets: 100 });
      return prepared.open(trial);
    },
  });
  await own.open();
  await own.describe();
  await own.stop();
  own.file.stopMs = 5000;
  own.media([], 2500);
  const phases = { preparedMs: 0, readyMs: 1, windowStartMs: 1, windowEndMs: 4000, endMs: 5001 };
  assert.ok(
    own
      .findings(phases, [])
      .some(
        ({ status, message }) =>
          status === 'invalid' &&
          message === 'MINE: 30 of 30 packets that the media server counts as sent never came to the bottleneck',
      ),
  );
  await own.series.close();
});

test('what goes wrong bears its name', async () => {
  const dead = run({
    open: async () => {
      throw new CoexistError('no-video', 'timed out after 15 s waiting for the first frame');
    },
  });
  await assert.rejects(dead.open(), {
    code: 'no-video',
    message: 'MINE: timed out after 15 s waiting for the first frame',
  });
  await dead.stop();
  const dies = run(service({ failed: Promise.reject(new CoexistError('server-died', 'the server ended')) }).prepared);
  await dies.open();
  await assert.rejects(dies.failed, { code: 'server-died', message: 'MINE: the server ended' });
  await dies.stop();
});

test('a connection that gave up is told', async () => {
  const own = run(service({ collect: async () => ({ framesPerSecond: 0, goodputBps: 0, lost: true }) }).prepared);
  await own.open();
  await own.collect();
  await own.describe();
  await own.stop();
  const messages = own
    .findings({ preparedMs: 0, readyMs: 1, windowStartMs: 1, windowEndMs: 1000, endMs: 1001 }, [])
    .map(({ message }) => message);
  assert.ok(messages.includes("MINE: the viewer's connection failed in the window"), messages.join('; '));
  assert.ok(existsSync(join(folder, String(runs), 'applications', 'mine')));
});

test('over a long path its service is told the round trip, and is waited for longer', async () => {
  const { prepared } = service();
  let told: number | undefined;
  const long = (clock: VirtualClock, open: PreparedService['open']) =>
    new ApplicationRun({
      application: application('mine', 'video-call', 'live-clip', {}),
      caption: undefined,
      network,
      prepared: { ...prepared, open },
      directory: join(folder, String(++runs)),
      baseRttMs: 5000,
      clock,
    });
  const clock = new VirtualClock();
  const own = long(clock, trial => {
    told = trial.baseRttMs;
    return prepared.open(trial);
  });
  await clock.run(own.open());
  assert.equal(told, 5000);
  const hanging = new VirtualClock();
  await assert.rejects(hanging.run(long(hanging, () => new Promise(() => {})).open()), {
    message: 'timed out after 480 s waiting for mine to be ready',
  });
});

test('the ends of its tunnel are its own on the link, and a service that never uses the tunnel is not in use', async () => {
  const path: Network = {
    hosts: { server: fakeHost('true'), client: hosts.client },
    addresses: { server: '10.0.1.9', client: '10.0.2.9' },
  };
  const tunnel = { title: 'pipe', port: 4433, open: () => Promise.reject(new Error('it is not opened')) };
  const own = new ApplicationRun({
    application: application('mine', 'video-call', 'live-clip', {}),
    caption: undefined,
    network,
    prepared: service().prepared,
    directory: join(folder, String(++runs)),
    tunnel: { tunnel, path, serverAddress: '10.0.1.2' },
  });
  assert.deepEqual(own.file.addresses, path.addresses);
  assert.deepEqual(own.party, path.addresses);
  assert.deepEqual(own.file.tunnel, { facts: null, besidePackets: null });
  await assert.rejects(own.open(), { code: 'service-failed', message: 'mine gave its tunnel no UDP port' });
  await own.stop();
});

/**
 * Returns the network of a server's host on which programs may be left running. `end`: ends the programs that are left.
 */
function busyHost(): { on: Network; leave(): ChildProcess; end(): void } {
  const left: ChildProcess[] = [];
  const runs = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;
  const server = { ...fakeHost('true'), processIds: async () => left.filter(runs).map(({ pid }) => pid!) };
  return {
    on: { ...network, hosts: { ...hosts, server } },
    leave() {
      const child = spawn('sleep', ['60']);
      left.push(child);
      return child;
    },
    end: () => left.forEach(child => child.kill('SIGKILL')),
  };
}

test('a service that is ready after the wait for it ended is stopped, and what it started is ended', async () => {
  const { on, leave, end } = busyHost();
  try {
    const kept = leave();
    let ready: () => void = () => {};
    const waiting = new Promise<void>(resolve => {
      ready = resolve;
    });
    const { prepared, done } = service();
    let rest: ChildProcess | undefined;
    const late = run(
      {
        ...prepared,
        open: async trial => {
          rest = leave();
          await waiting;
          return prepared.open(trial);
        },
      },
      on,
    );
    void late.open().catch(() => {});
    await assert.rejects(late.stop(50), {
      code: 'timed-out',
      message: 'timed out after 0.1 s waiting for mine to begin or to fail',
    });
    assert.equal(rest!.signalCode, 'SIGKILL');
    assert.equal(kept.signalCode, null, "what was there before is somebody else's");
    ready();
    await until(() => (done.length > 0 ? true : undefined), 30_000, 'the late service to be stopped');
  } finally {
    end();
  }
});

test('what a service leaves that could not be stopped, or never began, is ended; what one keeps that ended in order stays', async () => {
  const { on, leave, end } = busyHost();
  const opened = async (change: Partial<RunningService>, isFailing = false) => {
    const { prepared } = service(change);
    let child: ChildProcess | undefined;
    const own = run(
      {
        ...prepared,
        open: async trial => {
          child = leave();
          if (isFailing) throw new CoexistError('service-failed', 'no bytes');
          return prepared.open(trial);
        },
      },
      on,
    );
    await own.open().catch(() => {});
    const stopped = await own.stop(50).then(
      () => 'stopped',
      (error: unknown) => (error as CoexistError).code,
    );
    return [stopped, child!.signalCode];
  };
  try {
    assert.deepEqual(await opened({}), ['stopped', null]);
    assert.deepEqual(await opened({ stop: () => new Promise(() => {}) }), ['timed-out', 'SIGKILL']);
    assert.deepEqual(await opened({}, true), ['stopped', 'SIGKILL']);
  } finally {
    end();
  }
});

test('one that was armed only has to begin; one that never begins is ended, also where it is ready only after that', async () => {
  const armed = () => {
    const { prepared, done } = service();
    const ready: PreparedService = {
      ...prepared,
      arm: async trial => {
        done.push('armed');
        return {
          begin: async () => {
            done.push('begun');
            return prepared.open(trial);
          },
          stop: async () => {
            done.push('ended');
          },
        };
      },
    };
    return { ready, done };
  };
  const used = armed();
  const own = run({ ...used.ready, open: () => Promise.reject(new Error('it was armed')) });
  await own.arm();
  assert.deepEqual([own.file.startMs, own.isOpen], [null, false]);
  await own.open();
  await own.stop();
  assert.deepEqual([used.done, own.file.stopMs! >= own.file.startMs!], [['armed', 'begun', 'stopped'], true]);

  const unused = armed();
  const never = run(unused.ready);
  await never.arm();
  await never.stop();
  assert.deepEqual([unused.done, never.file.startMs, never.file.stopMs], [['armed', 'ended'], null, null]);

  const slow = armed();
  let go: () => void = () => {};
  const waiting = new Promise<void>(resolve => {
    go = resolve;
  });
  const late = run({
    ...slow.ready,
    arm: async trial => {
      await waiting;
      return slow.ready.arm!(trial);
    },
  });
  void late.arm().catch(() => {});
  await assert.rejects(late.stop(50), {
    code: 'timed-out',
    message: 'timed out after 0.1 s waiting for mine to be ready to begin or to fail',
  });
  go();
  await until(() => (slow.done.includes('ended') ? true : undefined), 30_000, 'the late one to be ended');
});

test('what was armed begins with its first packet, and is late by that', async () => {
  const { prepared } = service();
  const planned = { ...application('mine', 'video-call', 'live-clip', {}), startMs: 0 };
  const phases = { preparedMs: 0, readyMs: 1, windowStartMs: 1000, windowEndMs: 5000, endMs: 5001 };
  const late = async (isArmed: boolean, firstMs: number | null) => {
    const own = new ApplicationRun({
      application: planned,
      caption: undefined,
      network,
      prepared: isArmed
        ? {
            ...prepared,
            arm: async trial => ({ begin: () => prepared.open(trial), stop: async () => {} }),
          }
        : prepared,
      directory: join(folder, String(++runs)),
    });
    if (isArmed) await own.arm();
    await own.open();
    await own.describe();
    await own.stop();
    own.file.startMs = 1010;
    own.file.packets = firstMs === null ? null : { firstMs, lastMs: firstMs };
    return own.findings(phases, []).filter(({ message }) => message.includes('after its time'));
  };
  assert.deepEqual(await late(true, 1600), [
    { kind: 'host', status: 'invalid', message: 'mine began 600 ms after its time' },
  ]);
  assert.deepEqual([await late(true, 1020), await late(true, null), await late(false, 1600)], [[], [], []]);
});

test('a pause that comes late voids the trial, and one that its service refuses bears its name', async () => {
  const done: boolean[] = [];
  const own = new ApplicationRun({
    application: { ...application('mine', 'video-call', 'live-clip', {}), pauses: [{ fromMs: 0, toMs: 2000 }] },
    caption: undefined,
    network,
    prepared: service({ setPaused: async isPaused => void done.push(isPaused) }).prepared,
    directory: join(folder, String(++runs)),
  });
  await own.open();
  await own.setPaused(true);
  assert.equal(own.file.pauses!.at(-1)!.endMs, null);
  await own.setPaused(false);
  await own.describe();
  await own.stop();
  assert.deepEqual(done, [true, false]);
  own.file.pauses = [{ startMs: 1600, endMs: 3010 }];
  const phases = { preparedMs: 0, readyMs: 1, windowStartMs: 1000, windowEndMs: 5000, endMs: 5001 };
  assert.deepEqual(
    own.findings(phases, []).filter(({ message }) => message.includes('after its time')),
    [{ kind: 'host', status: 'invalid', message: 'mine paused 600 ms after its time' }],
  );
  const refusing = run(
    service({
      setPaused: () => Promise.reject(new CoexistError('server-failed', 'no media')),
    }).prepared,
  );
  await refusing.open();
  await assert.rejects(refusing.setPaused(true), { message: /MINE.*no media/ });
  await refusing.stop();
});

test('readings take turns, and one that was read out is read no more', async () => {
  const { prepared } = service();
  let [running, most] = [0, 0];
  const collect = async () => {
    most = Math.max(most, ++running);
    await sleep(30);
    running--;
    return { framesPerSecond: 0, goodputBps: 0, lost: false };
  };
  const own = run({
    ...prepared,
    open: async trial => ({ ...(await prepared.open(trial)), collect }),
  });
  await own.open();
  await Promise.all([own.collect(), own.collect(), own.readOut()]);
  assert.equal(most, 1);
  assert.deepEqual([own.isOpen, own.file.facts], [false, { made: 'up' }]);
  assert.ok(own.file.readMs! >= own.file.startMs!);
  assert.ok(own.readLeadMs >= 100 && own.readLeadMs <= 1000, `${own.readLeadMs} ms`);
  assert.equal(own.file.endedMs, null);
  await own.stop();
  assert.ok(own.file.endedMs! >= own.file.stopMs!);
});
