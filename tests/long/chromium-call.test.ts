/** A call between two real browsers through a real bottleneck. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { baseRttMs } from '../../core/vocabulary/link.ts';
import { voiceOf } from '../../harness/analysis/derive/voice/voice.ts';
import type { Summary } from '../../harness/analysis/summary/summary.ts';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { callerSeries } from '../../harness/record/series/caller.ts';
import { TrialRecord } from '../../harness/record/trial-record.ts';
import { disturbedBy } from '../e2e/support/disturbed.ts';
import { cannotRun, Place } from '../e2e/support/run-command.ts';

const call = [
  'hello',
  '--set',
  'service.id=chromium-call',
  '--set',
  'service.width=320',
  '--set',
  'service.height=180',
  '--set',
  'service.clipLength=1s',
  '--set',
  'service.maxBitrate=1mbit',
  '--set',
  'run.window=3s',
  '--set',
  'run.preflight=false',
  '--set',
  'run.retries=6',
];

describe('a call from Chromium to Chromium', { skip: cannotRun }, () => {
  const place = new Place();
  after(() => place.remove());

  test("moving frames, the sender's own account, and nothing left behind", async context => {
    const ended = await place.run(['experiment', ...call, '--out', place.out, '--json']);
    assert.ok(ended.status === 0 || ended.status === 3, ended.stderr);
    const [alone] = (JSON.parse(ended.stdout) as Summary).conditions;
    const disturbed = disturbedBy(place.out, ['0001-baseline']);
    if (disturbed !== undefined) return context.skip(disturbed);
    const value = (id: string) => alone!.metrics[id]!.value;
    assert.ok(value('frame-rate')! > 25, `${value('frame-rate')} frames a second`);
    assert.equal(value('stall-count'), 0);
    assert.ok(
      value('target-rate-mean')! > 300e3 && value('target-rate-mean')! <= 1.05e6,
      `${value('target-rate-mean')} bit/s`,
    );
    assert.equal(value('frames-skipped-late'), null, 'what a browser leaves out is not known');

    const folder = RunFolder.open(place.out);
    const file = folder.trialFile('0001-baseline');
    const record = new TrialRecord(file, folder.trialFolder('0001-baseline'));
    const callers = await record.read(callerSeries);
    assert.ok(callers.length >= 3);
    for (const { timeMs, outbound, candidatePair, visible } of callers) {
      assert.ok(timeMs > record.own!.readyMs! && timeMs < file.phases!.endMs, "on the harness's clock");
      assert.ok(
        visible && Number(outbound!['bytesSent']) > 0 && Number(candidatePair!['availableOutgoingBitrate']) > 0,
      );
    }
    assert.deepEqual(
      (record.own!.facts as { controller: { id: string }; encoder: { codec: string } }).controller.id,
      'browser',
    );
    assert.deepEqual(await place.namespaces(), []);
    assert.deepEqual(existsSync(place.state) ? readdirSync(place.state) : [], []);
  });

  test('a voice beside the picture is heard, with its delay and without interruptions', async context => {
    const out = `${place.out}-voice`;
    const ended = await place.run([
      'experiment',
      ...call.map(word => (word === 'run.window=3s' ? 'run.window=12s' : word)),
      ...['--set', 'service.audio.bitrate=24kbit', '--set', 'service.audio.red=1', '--out', out, '--json'],
    ]);
    assert.ok(ended.status === 0 || ended.status === 3, ended.stderr);
    const disturbed = disturbedBy(out, ['0001-baseline']);
    if (disturbed !== undefined) return context.skip(disturbed);
    const [alone] = (JSON.parse(ended.stdout) as Summary).conditions;
    const value = (id: string) => alone!.metrics[id]!.value;
    // 10 ms of a block, 20 ms of a packet, half of the round trip and the jitter buffer
    const folder = RunFolder.open(out);
    const file = folder.trialFile('0001-baseline');
    const leastMs = 30 + baseRttMs(file.condition.link) / 2;
    const medianMs = value('mouth-to-ear-median')!;
    assert.ok(medianMs > leastMs && medianMs < leastMs + 170, `${medianMs} ms from mouth to ear`);
    assert.equal(value('voice-interruptions'), 0);
    assert.ok(value('voice-gap-share')! < 0.02, `${value('voice-gap-share')} in gaps`);
    assert.ok(value('voice-concealed')! < 0.02, `${value('voice-concealed')} concealed`);
    assert.equal(value('voice-loss'), 0);
    assert.equal(value('lip-sync-median'), null, 'a browser does not tell when it captured a frame');

    const record = new TrialRecord(file, folder.trialFolder('0001-baseline'));
    const voice = (await voiceOf(record))!;
    assert.ok(voice.chirps.length >= 5, `${voice.chirps.length} chirps in 12 s`);
    const callers = await record.read(callerSeries);
    const [first, last] = [callers[0]!, callers.at(-1)!];
    const sentBits = 8 * (Number(last.outboundAudio!['bytesSent']) - Number(first.outboundAudio!['bytesSent']));
    const bps = (sentBits * 1000) / (last.timeMs - first.timeMs);
    assert.ok(bps > 40e3 && bps < 60e3, `two copies of 24 kbit/s are ${bps} bit/s`);
  });

  test('field trials that are none are refused before anything starts', async () => {
    const { status, stderr } = await place.run([
      'experiment',
      ...call,
      '--set',
      'service.fieldTrials=nonsense',
      '--out',
      `${place.out}2`,
    ]);
    assert.equal(status, 1);
    assert.match(stderr, /fieldTrials/);
    assert.ok(!existsSync(`${place.out}2`));
  });
});
