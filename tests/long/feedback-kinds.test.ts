/**
 * What a browser does only when it is asked to: feedback by RFC 8888, error correction, and an estimate of its own. One
 * short viewing each, with a real Chromium.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { controllerSeries } from '../../harness/record/series/controller.ts';
import { presentedSeries } from '../../harness/record/series/frames.presented.ts';
import { packetSeries } from '../../harness/record/series/packets.ts';
import { senderSeries } from '../../harness/record/series/sender.ts';
import { TrialRecord } from '../../harness/record/trial-record.ts';
import { cannotRun, type Ended, Place } from '../e2e/support/run-command.ts';

const study = {
  title: 'Kinds of feedback',
  question: 'Does each of them work?',
  source: 'own',
  link: { rate: '4mbit', rtt: '40ms', queue: { limit: '200ms' } },
  service: {
    id: 'live-clip',
    width: 320,
    height: 180,
    frameRate: 30,
    clipLength: '1s',
    startBitrate: '300kbit',
    minBitrate: '50kbit',
    maxBitrate: '1mbit',
  },
  flood: { id: 'none' },
  conditions: {
    ccfb: { service: { feedback: 'ccfb', controller: { id: 'scream' } } },
    protection: { service: { protection: '20%' }, link: { loss: '5%' } },
    // its least rate and its hysteresis would hold the small video's rate where it is
    remb: { service: { controller: { id: 'remb', minRate: '50kbit', hysteresis: '1%' } } },
  },
  run: { window: '4s', preflight: false },
};

describe('feedback of other kinds', { skip: cannotRun }, () => {
  const place = new Place();
  let ended: Ended;
  before(async () => {
    const file = join(place.path, 'kinds.ts');
    writeFileSync(file, `export default ${JSON.stringify(study)};\n`);
    ended = await place.run(['experiment', file, '--out', place.out]);
  });
  after(() => place.remove());

  /** The last try of a condition. A busy host that voids it changes nothing of what is asked here. */
  const recordOf = (condition: string) => {
    const folder = RunFolder.open(place.out);
    const name = folder
      .trialNames({ voided: true })
      .findLast(trial => folder.trialFile(trial).condition.id === condition && folder.trialFile(trial).phases !== null);
    assert.ok(name !== undefined, `${ended.stdout}${ended.stderr}`);
    return new TrialRecord(folder.trialFile(name), folder.trialFolder(name));
  };
  const frames = async (record: TrialRecord) =>
    (await record.read(presentedSeries)).filter(({ presentationMs }) => presentationMs > record.window.startMs).length;

  test('feedback by RFC 8888 arrives and tells of nearly every packet', async () => {
    const record = recordOf('ccfb');
    const packets = (await record.read(packetSeries)).filter(
      ({ sentMs }) => sentMs > record.window.startMs && sentMs < record.window.endMs - 500,
    );
    const told = packets.filter(({ receivedMs }) => receivedMs !== null).length;
    assert.ok(packets.length > 100 && told > 0.95 * packets.length, `${told} of ${packets.length}`);
    assert.ok(
      (await record.read(controllerSeries)).some(({ ackedBps }) => Number(ackedBps) > 100e3),
      'scream knows what was acked',
    );
    assert.ok((await frames(record)) > 60);
  });

  test('error correction is sent, and frames come through losses', async () => {
    const record = recordOf('protection');
    const packets = await record.read(packetSeries);
    const counted = (of: string) => packets.filter(({ kind }) => kind === of).length;
    // of the packets that it protects: how many others are padding differs by hundreds between trials
    const share = counted('protection') / counted('media');
    assert.ok(Math.abs(share - 0.2) < 0.02, `${counted('protection')} for ${counted('media')}`);
    assert.ok((await record.read(senderSeries)).at(-1)!.protectionPackets > 100, 'the sender counts them');
    assert.ok(packets.some(({ kind, receivedMs }) => kind === 'protection' && receivedMs !== null));
    assert.ok(
      packets.some(({ receivedMs, feedbackMs }) => feedbackMs !== null && receivedMs === null),
      'some packets were lost',
    );
    assert.ok((await frames(record)) > 60);
  });

  test("the target follows the browser's own estimate, and nothing is said of what is in flight", async () => {
    const record = recordOf('remb');
    const states = await record.read(controllerSeries);
    assert.ok(states.some(({ receiverEstimateBps }) => Number(receiverEstimateBps) > 0));
    assert.ok(
      new Set(states.map(({ targetBps }) => targetBps)).size > 1,
      JSON.stringify(states.map(({ targetBps, receiverEstimateBps }) => [targetBps, receiverEstimateBps])),
    );
    assert.ok(states.every(state => !('inFlightBytes' in state)));
    assert.ok((await frames(record)) > 60);
  });
});
