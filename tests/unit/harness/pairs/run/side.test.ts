import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../../../core/deadline.ts';
import { CoexistError } from '../../../../../core/errors.ts';
import type { Network } from '../../../../../core/network.ts';
import { contestantNetwork, Side } from '../../../../../harness/pairs/run/side.ts';
import type { PreparedService, RunningService, TrialContext } from '../../../../../harness/services/service.ts';
import { fakeHost } from '../../support/fake-host.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { contestant } from '../support/study.ts';

const folder = temporaryFolder();
const hosts = { server: fakeHost('true'), client: fakeHost('true', JSON.stringify([{ stats64: { rx: { bytes: 1500, packets: 3 } } }])), flooder: fakeHost('true'), router: fakeHost('true') };
const network: Network = { hosts, addresses: { server: '10.0.1.2', client: '10.0.2.2', flooder: '10.0.3.2' } };
const second = { host: fakeHost('true'), address: '10.0.2.3' };

test('a contestant knows its own server and its own client, on either leg', () => {
  const [first, other] = [contestantNetwork(network, 'server', { host: hosts.client, address: '10.0.2.2' }), contestantNetwork(network, 'flooder', second)];
  assert.deepEqual([first.hosts.server, first.hosts.client, first.addresses.server, first.addresses.client], [hosts.server, hosts.client, '10.0.1.2', '10.0.2.2']);
  assert.deepEqual([other.hosts.server, other.hosts.client, other.addresses.server, other.addresses.client], [hosts.flooder, second.host, '10.0.3.2', '10.0.2.3']);
});

let sides = 0;
function side(on = network): Side {
  const directory = join(folder, String(++sides));
  mkdirSync(directory);
  return new Side({ contestant: contestant('mine'), folder: 'first', directory, network: on });
}

/** A service that writes a line of its own account a second, and what was done to it. */
function service(change: Partial<RunningService> = {}): { prepared: PreparedService; done: string[] } {
  const done: string[] = [];
  const prepared = {
    open: async (trial: TrialContext): Promise<RunningService> => ({
      failed: new Promise<never>(() => {}), readyMs: 5,
      collect: async () => {
        trial.progress({ timeMs: 7, kind: 'transfer', receivedBytes: 1, flows: 1 });
        return { framesPerSecond: 0, goodputBps: 8e6, lost: false };
      },
      clocks: async () => ({ server: { offsetMs: 0, uncertaintyMs: 0 }, page: { offsetMs: 0, uncertaintyMs: 0 } }), describe: () => ({ made: 'up' }), transport: () => null, stop: async () => { done.push('stopped'); }, ...change,
    }),
    close: async () => {},
  };
  return { prepared, done };
}

test('it takes down what its service tells, and stops it', async () => {
  const own = side();
  const { prepared, done } = service();
  await own.open(prepared);
  assert.equal((await own.collect()).goodputBps, 8e6);
  const { bytes, packets } = await own.received();
  await own.describe();
  await own.stop();
  own.media([{ timeMs: 1, payloadTypes: [96], sequences: [7], offeredMs: [0], sojournMs: [3], queuePackets: [2], dropped: [] }]);
  await own.series.close();
  assert.match(readFileSync(join(folder, String(sides), 'first', 'queue.media.jsonl'), 'utf8'), /^\{"timeMs":1,"payloadTypes":\[96\].*\}\n$/);
  assert.deepEqual([own.file.readyMs, own.file.service, bytes, packets, done], [5, { made: 'up', transport: null }, 1500, 3, ['stopped']]);
  assert.equal(readFileSync(join(folder, String(sides), 'first', 'service.jsonl'), 'utf8'), '{"timeMs":7,"kind":"transfer","receivedBytes":1,"flows":1}\n');
  const phases = { preparedMs: 0, readyMs: 1, windowStartMs: 1, windowEndMs: 1000, endMs: 1001 };
  const host = { timeMs: 900, cores: 2, busyRatio: 1, stealRatio: 0, wakeUpDelayMaxMs: 1, harnessDelayMaxMs: 1 };
  assert.deepEqual(own.findings(phases, [host]).map(({ message }) => message), ['there is no account of the sender and the page inside the window']);
});

test('what goes wrong bears its name', async () => {
  const dead = side();
  await assert.rejects(dead.open({ open: async () => { throw new CoexistError('no-picture', 'waited 15 s for the first picture, in vain'); }, close: async () => {} }), { code: 'no-picture', message: 'MINE: waited 15 s for the first picture, in vain' });
  await dead.stop();
  const dies = side();
  await dies.open(service({ failed: Promise.reject(new CoexistError('server-died', 'the server ended')) }).prepared);
  await assert.rejects(dies.failed, { code: 'server-died', message: 'MINE: the server ended' });
  await dies.stop();
});

test('a connection that gave up is told', async () => {
  const own = side();
  await own.open(service({ collect: async () => ({ framesPerSecond: 0, goodputBps: 0, lost: true }) }).prepared);
  await own.collect();
  await own.describe();
  await own.stop();
  const messages = own.findings({ preparedMs: 0, readyMs: 1, windowStartMs: 1, windowEndMs: 1000, endMs: 1001 }, []).map(({ message }) => message);
  assert.ok(messages.includes('MINE: the connection gave up in the window'), messages.join('; '));
  assert.ok(existsSync(join(folder, String(sides), 'first')));
});

/** A server's host on which programs may be left; `end` is for what nobody has ended. */
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

test('a service that is ready only when nobody waits for it any more is stopped all the same, and what it has started is ended', async () => {
  const { on, leave, end } = busyHost();
  try {
    const kept = leave();
    let ready: () => void = () => {};
    const waiting = new Promise<void>(resolve => { ready = resolve; });
    const { prepared, done } = service();
    const late = side(on);
    let rest: ChildProcess | undefined;
    void late.open({ ...prepared, open: async (trial, params) => {
      rest = leave();
      await waiting;
      return prepared.open(trial, params);
    } }).catch(() => {});
    await assert.rejects(late.stop(50), { code: 'timed-out', message: 'waited 0.1 s for MINE to begin or to fail, in vain' });
    assert.equal(rest!.signalCode, 'SIGKILL');
    assert.equal(kept.signalCode, null, 'what was there before is somebody else\'s');
    ready();
    await until(() => (done.length > 0 ? true : undefined), 1000, 'the late service to be stopped');
  } finally {
    end();
  }
});

test('what a service leaves that could not be stopped, or never began, is ended; what one keeps that ended in order stays', async () => {
  const { on, leave, end } = busyHost();
  const opened = async (change: Partial<RunningService>, isFailing = false) => {
    const own = side(on);
    const { prepared } = service(change);
    let child: ChildProcess | undefined;
    await own.open({ ...prepared, open: async (trial, params) => {
      child = leave();
      if (isFailing) throw new CoexistError('service-failed', 'no bytes');
      return prepared.open(trial, params);
    } }).catch(() => {});
    const stopped = await own.stop(50).then(() => 'stopped', (error: unknown) => (error as CoexistError).code);
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
