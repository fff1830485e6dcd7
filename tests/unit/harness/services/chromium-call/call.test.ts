import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../../../../core/schema/schema.ts';
import { nowMs } from '../../../../../core/system/clock.ts';
import type { RecordOf } from '../../../../../harness/record/schema/series.ts';
import { SeriesListeners } from '../../../../../harness/record/schema/series-listeners.ts';
import { type CallerRecord, callerSeries } from '../../../../../harness/record/series/caller.ts';
import { connectionSeries } from '../../../../../harness/record/series/connection.ts';
import type { VoiceHeardRecord } from '../../../../../harness/record/series/voice.heard.ts';
import { voiceSpokenSeries } from '../../../../../harness/record/series/voice.spoken.ts';
import { Call } from '../../../../../harness/services/chromium-call/index.ts';
import { paramsSchema } from '../../../../../harness/services/chromium-call/params.ts';
import type { StudyContext, TrialContext } from '../../../../../harness/services/service.ts';
import type { BrowserOptions, BrowserWindow } from '../../../../../harness/trial/browser/launch.ts';
import { clipFacts } from '../../support/clip-facts.ts';
import { fakeHost } from '../../support/fake-host.ts';
import { callerDrain, viewerDrain } from '../support/page-answers.ts';

process.env['CHROMIUM_PATH'] = process.execPath; // the program is not started

const study = {
  network: { hosts: { server: fakeHost('true', '', 'left-1'), client: fakeHost('true', '', 'right-1') } },
  scratch: '/',
  headed: false,
} as unknown as StudyContext;

/**
 * Returns a call between two pages that give these answers. A key is the beginning of the expression that the answer is
 * for.
 */
function call(
  change: { caller?: Record<string, unknown>; callee?: Record<string, unknown> } = {},
  given: Record<string, unknown> = {},
  microphone: string | null = null,
) {
  const switches: Record<string, readonly string[]> = {};
  const files: Record<string, readonly string[]> = {};
  const written: CallerRecord[] = [];
  const spoken: VoiceHeardRecord[] = [];
  const connections: RecordOf<typeof connectionSeries>[] = [];
  const closed: string[] = [];
  const asked: string[] = [];
  const listeners = new SeriesListeners()
    .on(callerSeries, record => written.push(record))
    .on(voiceSpokenSeries, record => spoken.push(record))
    .on(connectionSeries, record => connections.push(record));
  const trial: TrialContext = { directory: '/', write: listeners.tell };
  const answers: Record<string, Record<string, unknown>> = {
    'left-1': { 'coexist.timeMs': nowMs(), 'coexist.offer': 'v=0', 'coexist.drain': callerDrain(), ...change.caller },
    'right-1': {
      'coexist.timeMs': nowMs(),
      'coexist.answer': 'v=0\r\na=rtpmap:108 H264/90000',
      'globalThis.coexist?.status': viewerDrain().status,
      'coexist.drain': viewerDrain(),
      ...change.callee,
    },
  };
  const launch = async ({ host, switches: words = [], files: read = [] }: BrowserOptions) => {
    switches[host.name] = words.filter(word => /^--(force-fieldtrials|use-file-for-fake-audio)/.test(word));
    files[host.name] = read;
    return {
      version: '156',
      died: new Promise<never>(() => {}),
      page: {
        route: async () => {},
        goto: async () => {},
        evaluate: async (expression: string) => {
          asked.push(`${host.name}: ${expression}`);
          return answers[host.name]![expression.split('(')[0]!];
        },
      },
      close: async () => void closed.push(host.name),
    } as unknown as BrowserWindow;
  };
  const params = check(paramsSchema, given, 'chromium-call');
  return {
    asked,
    opened: Call.open({ camera: '/camera', microphone, facts: clipFacts() }, study, trial, params, launch),
    switches,
    files,
    written,
    spoken,
    connections,
    closed,
  };
}

test('what the two pages tell is taken and written', async () => {
  const { opened, written, connections } = call();
  const running = await opened;
  assert.equal((await running.collect()).lost, false);
  assert.equal(written[0]!.outbound!['encoderImplementation'], 'OpenH264');
  assert.ok(!('state' in written[0]!) && !('events' in written[0]!));
  assert.deepEqual(
    new Set(connections.map(({ end, type }) => `${end} ${type}`)),
    new Set(['receiver connectionstatechange', 'sender createOffer']),
  );
});

test('a pause is for the calling page, whose sender stops and goes on', async () => {
  const { opened, asked } = call();
  const running = await opened;
  await running.setPaused(true);
  await running.setPaused(false);
  assert.deepEqual(asked.slice(-2), ['left-1: coexist.setPaused(true)', 'left-1: coexist.setPaused(false)']);
});

test('what the calling page cannot tell fails the service, which is named with its host', async () => {
  for (const [told, message] of [
    [{ ...callerDrain(), state: 'lost' }, /^chromium-call's caller on left-1: state: /],
    [{ ...callerDrain(), outbound: { bytesSent: [] } }, /^chromium-call's caller on left-1: outbound: bytesSent has/],
    [{ ...callerDrain(), cpuLimitedS: -1 }, /^chromium-call's caller on left-1: cpuLimitedS: /],
    [{ ...callerDrain(), timeMs: nowMs() + 1e8 }, /^chromium-call's caller on left-1: its time is/],
    [null, /^chromium-call's caller on left-1/],
  ] as const) {
    const { opened, written } = call({ caller: { 'coexist.drain': told } });
    await assert.rejects((await opened).collect(), { code: 'service-failed', message });
    assert.deepEqual(written, []);
  }
});

test('a call is not made with what is no description, and its browsers are closed', async () => {
  for (const [change, message] of [
    [{ caller: { 'coexist.offer': 5 } }, /^chromium-call's caller on left-1/],
    [{ caller: { 'coexist.timeMs': 'now' } }, /^chromium-call's caller on left-1/],
    [{ callee: { 'coexist.answer': 'v=0'.repeat(1e5) } }, /^chromium-call's callee on right-1/],
    [{ callee: { 'globalThis.coexist?.status': { state: 'failed', failure: null, presentedFrames: 0 } } }, /callee/],
  ] as const) {
    const { opened, closed } = call(change);
    await assert.rejects(opened, { code: 'service-failed', message });
    assert.deepEqual(closed.toSorted(), ['left-1', 'right-1']);
  }
});

const answer = (feedback: string) => `v=0\r\na=rtpmap:108 H264/90000\r\na=rtcp-fb:${feedback}\r\n`;
const ccfb = answer('108 ack ccfb');
const offer = `${ccfb}a=rtcp-fb:108 transport-cc\r\na=rtcp-fb:108 goog-remb\r\n`;
/** A page that has captured these samples. */
const speaking = (pcm: string) => ({ ...callerDrain(), spoken: [{ timeMs: nowMs(), pcm }] });
const marking = (packetsSentWithEct1: number) => ({
  ...callerDrain(),
  outbound: { packetsSent: 20, packetsSentWithEct1 },
});

test('both browsers get the field trials of the congestion control, and the record has what they agreed on', async () => {
  const { opened, switches } = call(
    { caller: { 'coexist.offer': offer, 'coexist.drain': marking(20) }, callee: { 'coexist.answer': ccfb } },
    { controller: 'scream-v2', fieldTrials: 'WebRTC-Video-Pacing/max_delay:100ms/' },
  );
  const facts = (await opened).describe();
  const rfc8888 = '--force-fieldtrials=WebRTC-RFC8888CongestionControlFeedback/Enabled';
  assert.deepEqual(switches, {
    'left-1': [`${rfc8888},offer:true/WebRTC-Bwe-ScreamV2/Enabled/WebRTC-Video-Pacing/max_delay:100ms/`],
    'right-1': [`${rfc8888}/`],
  });
  assert.equal(facts['feedback'], 'ccfb');
  assert.deepEqual(facts['negotiated'], { offered: ['transport-cc', 'ccfb', 'remb'], agreed: ['ccfb'] });
  assert.equal((facts['controller'] as { title: string }).title, 'SCReAMv2 of the browser');
});

test('the default needs no field trial, and takes the feedback of the answer', async () => {
  const { opened, switches } = call({
    caller: { 'coexist.offer': offer },
    callee: { 'coexist.answer': answer('108 transport-cc') },
  });
  assert.equal((await opened).describe()['feedback'], 'transport-cc');
  assert.deepEqual(switches, { 'left-1': [], 'right-1': [] });
});

test('a browser without the congestion control ends the study', async () => {
  for (const [given, told, answered, message] of [
    ['gcc-rfc8888', 0, answer('108 transport-cc'), /^Chromium 156 cannot use GCC with .*: its answer has transport-cc/],
    [
      'scream-v2',
      20,
      'v=0\r\na=rtpmap:108 H264/90000',
      /^Chromium 156 cannot use SCReAMv2: its answer has no feedback/,
    ],
    ['scream-after-ce', 0, ccfb, /^Chromium 156 does not have GCC until the first CE mark, then SCReAMv2: it sends no/],
  ] as const) {
    const { opened, closed } = call(
      { caller: { 'coexist.offer': offer, 'coexist.drain': marking(told) }, callee: { 'coexist.answer': answered } },
      { controller: given },
    );
    await assert.rejects(opened, { code: 'no-browser', exitStatus: 2, message });
    assert.deepEqual(closed.toSorted(), ['left-1', 'right-1']);
  }
});

test('field trials that the congestion control sets itself are refused', () => {
  for (const [given, message] of [
    [{ fieldTrials: 'nonsense' }, /fieldTrials are pairs/],
    [{ receiverFieldTrials: 'A/' }, /receiverFieldTrials are pairs/],
    [
      { controller: 'scream-v2', fieldTrials: 'WebRTC-Bwe-ScreamV2/mode:always/' },
      /controller scream-v2 sets the field trial WebRTC-Bwe-ScreamV2 itself/,
    ],
    [
      { controller: 'gcc-rfc8888', receiverFieldTrials: 'WebRTC-RFC8888CongestionControlFeedback/Disabled/' },
      /sets the field trial WebRTC-RFC8888CongestionControlFeedback itself/,
    ],
  ] as const)
    assert.throws(() => check(paramsSchema, given, 'chromium-call'), { message });
  check(paramsSchema, { fieldTrials: 'WebRTC-Bwe-ScreamV2/Enabled/' }, 'chromium-call');
});

const voiced =
  'v=0\r\na=rtpmap:108 H264/90000\r\na=rtpmap:111 opus/48000/2\r\na=fmtp:111 minptime=10;useinbandfec=1\r\n';

test('a voice comes from the file of the microphone, and the answer tells the browser how to encode it', async () => {
  const { opened, asked, switches, files, spoken } = call(
    { caller: { 'coexist.drain': speaking('AAD/fw==') }, callee: { 'coexist.answer': voiced } },
    { audio: { bitrate: '24kbit', fec: false, red: 2, dtx: true, frame: '40ms', sync: false } },
    '/microphone.wav',
  );
  const facts = (await opened).describe();
  assert.deepEqual(switches, {
    'left-1': [
      '--use-file-for-fake-audio-capture=/microphone.wav',
      '--force-fieldtrials=WebRTC-Audio-Red-For-Opus/Enabled-2/',
    ],
    'right-1': [],
  });
  assert.deepEqual(files, { 'left-1': ['/camera', '/microphone.wav'], 'right-1': [] });
  const offered = asked.find(text => text.startsWith('left-1: coexist.offer('))!;
  assert.match(offered, /"audio":\{"maxBps":24000,"isRedundant":true,"sync":false\}/);
  const accepted = asked.find(text => text.startsWith('left-1: coexist.accept('))!;
  assert.match(accepted, /a=fmtp:111 minptime=10;maxaveragebitrate=24000;useinbandfec=0;usedtx=1;ptime=40\\r/);
  assert.deepEqual(
    spoken.map(({ pcm }) => pcm),
    ['AAD/fw=='],
  );
  assert.equal((facts['voice'] as { red: number }).red, 2);
});

test('a call without a voice asks for no microphone', async () => {
  const { opened, asked, switches } = call();
  assert.ok(!Object.hasOwn((await opened).describe(), 'voice'));
  assert.match(asked.find(text => text.startsWith('left-1: coexist.offer('))!, /"audio":null/);
  assert.deepEqual(switches['left-1'], []);
});

test('a voice that the calling page does not capture ends the call', async t => {
  const given = { callee: { 'coexist.answer': voiced } };
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: nowMs() });
  const silent = call({ ...given, caller: { 'coexist.drain': speaking('AAAAAA==') } }, { audio: {} }, '/voice.wav');
  const refused = assert.rejects(silent.opened, { code: 'no-video', message: /voice of the calling browser's mic/ });
  let ended = false;
  void refused.then(() => (ended = true));
  while (!ended) {
    await new Promise(resolve => setImmediate(resolve));
    t.mock.timers.tick(1000);
  }
  await refused;
  assert.deepEqual(silent.closed.toSorted(), ['left-1', 'right-1']);
});

test('the field trial of redundant audio is set once, and for two frames at most', () => {
  const fieldTrials = 'WebRTC-Audio-Red-For-Opus/Enabled-3/';
  assert.throws(() => check(paramsSchema, { audio: { red: 1 }, fieldTrials }, 'chromium-call'), {
    message: /audio\.red sets the field trial WebRTC-Audio-Red-For-Opus itself/,
  });
  check(paramsSchema, { audio: {}, fieldTrials }, 'chromium-call');
  assert.throws(() => check(paramsSchema, { audio: { red: 3 } }, 'chromium-call'), { message: /audio\.red/ });
});
