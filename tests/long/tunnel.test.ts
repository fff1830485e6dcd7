/**
 * Applications whose packets travel in a QUIC tunnel of every kind: the viewer sees them, nothing goes past it, an end
 * that is killed voids the trial, and nothing is left. One such trial is part of `npm test` (tests/e2e).
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { run } from '../../core/system/command.ts';
import { until } from '../../core/system/deadline.ts';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { tunnelSeries } from '../../harness/record/series/tunnel.ts';
import { TrialRecord } from '../../harness/record/trial-record.ts';
import type { Received } from '../../harness/services/udp-flow/packet.ts';
import { tunnelStacks } from '../../harness/tunnels/quic/programs.ts';
import { disturbedBy, sayTries } from '../e2e/support/disturbed.ts';
import { inPlace, namespaceOf } from '../e2e/support/interrupted.ts';
import { type Ended, finishOrStop, Place, processesIn } from '../e2e/support/run-command.ts';
import { checkCarried, definition, inDatagrams, skipWithout, small } from '../e2e/support/tunnel-trials.ts';
import { sharedStart } from '../unit/support/shared-start.ts';

const skip = skipWithout(...tunnelStacks);
const conditions = {
  plain: { title: 'UDP' },
  datagram: inDatagrams,
  stream: { tunnel: { id: 'quic', mode: 'stream', congestionControl: 'newreno', stack: 'quic-go', qlog: true } },
  call: {
    service: { id: 'chromium-call', ...small },
    tunnel: { id: 'quic', mode: 'stream', congestionControl: 'copa' },
  },
  transfer: {
    service: { id: 'udp-flow', rate: '1mbit' },
    tunnel: { id: 'quic', mode: 'datagram', congestionControl: 'none' },
  },
};
const names = Object.keys(conditions).map((name, k) => `000${k + 1}-${name}`);

describe('a tunnel', { skip }, () => {
  let place: Place;
  let ended: Ended;
  sharedStart(
    async () => {
      place = new Place();
      const file = join(place.path, 'study.json');
      writeFileSync(file, JSON.stringify({ ...definition, conditions }));
      ended = await finishOrStop(place.start(['experiment', file, '--out', place.out]), 240_000);
    },
    () => place.remove(),
  );

  /** The trials of these conditions; undefined, and the test is skipped, where the machine disturbed each try of one. */
  function trialsOf(context: TestContext, ...of: (keyof typeof conditions)[]): TrialRecord[] | undefined {
    const own = names.filter(name => of.some(condition => name.endsWith(`-${condition}`)));
    const folder = RunFolder.open(place.out);
    const disturbed = disturbedBy(place.out, own);
    if (disturbed === undefined)
      return own.map(name => new TrialRecord(folder.trialFile(name), folder.trialFolder(name)));
    context.skip(disturbed);
    return undefined;
  }

  test('a study through tunnels of every kind has results, and leaves nothing', async context => {
    if (trialsOf(context, 'plain', 'datagram', 'stream', 'call', 'transfer') === undefined) return;
    sayTries(context, place.out);
    assert.equal(ended.status, 0, ended.stdout + ended.stderr);
    assert.deepEqual(await place.namespaces(), []);
  });

  test('the live clip in datagrams and in streams of either stack, and beside none', async context => {
    const records = trialsOf(context, 'plain', 'datagram', 'stream');
    if (records === undefined) return;
    const [plain, datagram, stream] = records as [TrialRecord, TrialRecord, TrialRecord];
    assert.equal(plain.own!.tunnel, undefined);
    assert.deepEqual(await plain.read(tunnelSeries), []);
    for (const record of [datagram, stream]) await checkCarried(record);
    assert.match(String(datagram.own!.tunnel!.facts!['stack']), /^noq 1\./);
    assert.match(String(stream.own!.tunnel!.facts!['stack']), /^quic-go 0\./);
    assert.ok((await datagram.read(tunnelSeries)).some(({ datagramFramesSent }) => datagramFramesSent > 100));
    assert.ok((await stream.read(tunnelSeries)).some(({ streamFramesSent }) => streamFramesSent > 100));
    for (const role of ['server', 'client'])
      assert.ok(statSync(join(stream.directory, 'qlog', `${role}.qlog`)).size > 1000, `the log of the ${role}'s end`);
    assert.ok(!existsSync(join(datagram.directory, 'qlog')));
  });

  test('a call between two browsers', async context => {
    const [record] = trialsOf(context, 'call') ?? [];
    if (record !== undefined) await checkCarried(record);
  });

  test('a data transfer over UDP', async context => {
    const [record] = trialsOf(context, 'transfer') ?? [];
    if (record === undefined) return;
    assert.equal(record.own!.tunnel!.besidePackets, 0, 'packets beside the tunnel');
    const { packets, missingPackets } = record.own!.facts!['received'] as Received;
    assert.ok(packets > 250 && missingPackets < 5, `${packets} packets came, ${missingPackets} are missing`);
    const last = (await record.read(tunnelSeries)).findLast(({ end }) => end === 'server')!;
    assert.ok(last.packetsIn >= packets, `${last.packetsIn} packets into the tunnel, ${packets} came`);
  });
});

describe('a trial through a tunnel that goes wrong', { skip }, () => {
  const inside = (namespace: string, script: string) =>
    run(['ip', 'netns', 'exec', namespace, 'bash', '-c', script], { allowFailure: true });

  test('is void where an end is killed or a packet goes beside, with that reason, and nothing is left', () =>
    inPlace(async place => {
      const file = join(place.path, 'study.json');
      // of conditions that are the same one only would be run
      const of = {
        server: { tunnel: { id: 'quic', mode: 'datagram' } },
        client: { tunnel: { id: 'quic', mode: 'stream' } },
        beside: { tunnel: { id: 'quic', congestionControl: 'newreno' } },
      };
      const run = { window: '8s', retries: 0, preflight: false };
      writeFileSync(file, JSON.stringify({ ...definition, conditions: of, run }));
      const session = place.start(['experiment', file, '--out', place.out]);
      /** Waits until the viewer of a trial has seen frames. */
      const inView = (name: string) => {
        const frames = join(place.out, `trials/.partial-${name}/applications/service/frames.presented.jsonl`);
        const shown = until(() => (existsSync(frames) && statSync(frames).size > 0 ? true : undefined), 90_000, name);
        return Promise.race([shown, session.ended.then(({ stdout }) => assert.fail(`it ended: ${stdout}`))]);
      };

      for (const [name, role] of [
        ['0001-server', 'left-1'],
        ['0002-client', 'right-1'],
      ] as const) {
        await inView(name);
        const [pid] = await processesIn(await namespaceOf(place, role), 'coexist-tunnel');
        process.kill(pid!, 'SIGKILL');
      }
      await inView('0003-beside');
      // hosts behind the ends reach each other over TCP; of their UDP nothing comes to the link, where one packet does
      const [server, client] = [await namespaceOf(place, 'left-1-behind'), await namespaceOf(place, 'right-1-behind')];
      assert.equal((await inside(client, 'exec 3<>/dev/tcp/10.0.1.3/8080')).status, 0, 'the page of the media server');
      await inside(server, 'echo beside > /dev/udp/10.0.2.130/9');
      await inside(client, 'echo beside > /dev/udp/10.0.1.2/9');
      await inside(await namespaceOf(place, 'right-1'), 'echo beside > /dev/udp/10.0.1.2/9');

      const ended = await session.finish();
      assert.equal(ended.status, 3, ended.stdout + ended.stderr);
      const reasonsOf = (name: string) =>
        RunFolder.open(place.out)
          .trialFile(`${name}.void1`)
          .verdict.findings.filter(({ status }) => status === 'invalid')
          .map(({ message }) => message)
          .join('\n');
      for (const end of ['server', 'client'])
        assert.ok(
          reasonsOf(end === 'server' ? '0001-server' : '0002-client').includes(
            `the ${end}'s end of the tunnel ended in the middle of the trial: SIGKILL`,
          ),
          ended.stdout,
        );
      assert.match(reasonsOf('0003-beside'), /^UDP packets on the link outside of the tunnel: 1 \(/m);
      assert.deepEqual(readdirSync(place.state), []);
      assert.deepEqual(await place.namespaces(), []);
    }));
});
