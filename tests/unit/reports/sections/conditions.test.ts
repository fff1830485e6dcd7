import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TrialView } from '../../../../harness/analysis/derive/trial-view.ts';
import { makePlan, type Plan } from '../../../../harness/definition/plan.ts';
import type { TrialFile } from '../../../../harness/record/trial-file.ts';
import { TrialRecord } from '../../../../harness/record/trial-record.ts';
import { parameterKinds } from '../../../../harness/studies/conditions/parameter-kinds.ts';
import hello from '../../../../harness/studies/experiment/shipped/hello.ts';
import { loadRegistries } from '../../../../harness/trial/registries.ts';
import type { ReportData } from '../../../../reports/report.ts';
import { plugin } from '../../../../reports/sections/conditions/index.ts';
import { clipFacts } from '../../harness/support/clip-facts.ts';
import { planOf, registries } from '../../harness/support/plan.ts';
import { fileOf, versions } from '../../harness/support/run-folder.ts';
import { facts } from '../support/facts.ts';

const clip = { path: '/clips/high-motion-720p60.mp4' };

/** Facts of a report, by name. `services`: facts that the service of each condition's trial reports. */
async function factsOf(services: Record<string, object>): Promise<Map<string, string>> {
  return factsOfPlan(
    planOf({
      conditions: Object.fromEntries(
        Object.keys(services).map((id, i) => [id, { title: id.toUpperCase(), link: { rate: `${i + 1}mbit` } }]),
      ),
    }),
    services,
  );
}

async function factsOfPlan(
  plan: Plan,
  services: Record<string, object> = {},
  kinds = parameterKinds(registries),
  change: Partial<TrialFile> = {},
): Promise<Map<string, string>> {
  const records = new Map(
    plan.conditions.map(({ id }, i) => [
      id,
      [
        new TrialView(
          new TrialRecord(
            fileOf(plan, i + 1, { facts: (services[id] ?? {}) as Record<string, unknown>, ...change }),
            '/nowhere',
          ),
        ),
      ],
    ]),
  );
  const page = (await plugin.render({
    plan,
    versions,
    createdMs: 0,
    records,
    disturbed: new Map(),
    summary: { trials: [] },
    kinds,
    ...facts,
  } as unknown as ReportData))!.text;
  return new Map(
    [...page.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/g)].map(([, name, value]) => [
      name!,
      value!.replaceAll('&quot;', '"'),
    ]),
  );
}

const gcc = { id: 'gcc', title: 'GCC', changed: {} };
const bbr = (changed: object) => ({ id: 'webrtc-bbr', title: 'WebRTC-BBR', changed });

test('what all services say stands once', async () => {
  const facts = await factsOf({ a: { clip, controller: gcc }, b: { clip, controller: gcc } });
  assert.equal(facts.get('Controller'), 'GCC');
  assert.equal(facts.get('Clip'), 'high-motion-720p60.mp4');
  assert.equal(facts.has('Encoder'), false);
});

test('a clip is told with what was done to it and what to know of it', async () => {
  const video = { width: 640, height: 360, frameRate: 30_000 / 1001 };
  const told = { ...clip, ...clipFacts({ stillRatio: 0.9 }) };
  const encoder = { codec: 'libx264', preset: 'ultrafast', passedOver: [] };
  const facts = await factsOf({ a: { clip: told, encoder, video } });
  assert.equal(
    facts.get('Clip'),
    'high-motion-720p60.mp4: h264, 1280\u00d7720, 60 fps, 0.50 s, BT.709 in limited range; scaled to 640\u00d7360; ' +
      'resampled to 29.97 fps; the clip stands still 90 % of the time: it needs little rate then, and no stall can be ' +
      'seen there',
  );
  assert.equal(facts.get('Video'), '640\u00d7360 at 29.97 fps');
  const segments = await factsOf({ a: { clip: told, video } });
  assert.doesNotMatch(segments.get('Clip')!, /stands still/, 'segments have their size whatever they show');
  // in the form of older records
  const old = { ...clip, width: 1280, height: 720, frameRate: 60, codec: 'h264', frames: 900, seconds: 15 };
  assert.equal(
    (await factsOf({ a: { clip: old } })).get('Clip'),
    'high-motion-720p60.mp4, 1280\u00d7720 at 60 fps, 15.0 s looped',
  );
});

test("what a study varies stands with its conditions, a controller with the parameters that are not its default's", async () => {
  const facts = await factsOf({
    a: { controller: gcc, video: { width: 640, height: 360, frameRate: 30 } },
    b: { controller: bbr({}), video: { width: 640, height: 360, frameRate: 60 } },
    c: {
      controller: bbr({ recovery: 'off', minRttExpiry: '5s' }),
      picture: { width: 640, height: 360, frameRate: 30 }, // in the form of older records
    },
  });
  assert.equal(facts.get('Controller'), 'GCC: "A"; WebRTC-BBR: "B"; WebRTC-BBR, recovery=off, minRttExpiry=5s: "C"');
  assert.equal(facts.get('Video'), '640\u00d7360 at 30 fps: "A" and "C"; 640\u00d7360 at 60 fps: "B"');
});

test('many conditions of a kind are counted', async () => {
  const facts = await factsOf({
    ...Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map(id => [id, { controller: gcc }])),
    f: { controller: bbr({}) },
  });
  assert.equal(facts.get('Controller'), 'GCC: 5 of 6 conditions; WebRTC-BBR: "F"');
});

test('an encoder, and a browser, that names itself twice is named once', async () => {
  const encoder = { codec: 'libx264', preset: 'ultrafast', passedOver: ['h264_nvenc: h264_nvenc: not permitted'] };
  const facts = await factsOf({ a: { encoder, ffmpeg: '8.1', browser: '156' } });
  assert.equal(facts.get('Encoder'), 'libx264, preset ultrafast (unavailable: h264_nvenc: not permitted); FFmpeg 8.1');
  assert.equal(facts.get('Browser'), 'Chromium 156');
  assert.equal((await factsOf({ a: { browser: '157' } })).get('Browser'), 'Chromium 156 (157)');
});

test('what can limit a stream is told though no study sets it: its parameters, and those of AQM, bursts and ramps', async () => {
  const shipped = await loadRegistries();
  const plan = makePlan(
    'limits',
    {
      ...hello,
      service: { id: 'live-clip' },
      link: {
        ...hello.link,
        queue: { limit: '250ms', aqm: 'codel' },
        loss: { toBad: '1%', toGood: '25%' },
        schedule: [{ at: '2s', rate: '10mbit', ramp: '3s' }],
      },
      conditions: { alone: { title: 'Alone', flood: { id: 'none' } }, flood: { title: 'Flood' } },
    },
    shipped,
  );
  const facts = await factsOfPlan(plan, {}, parameterKinds(shipped));
  assert.match(
    facts.get('Parameters of the service')!,
    /^live clip over WebRTC \(.*width 1280, height 720, frameRate 60, maxBitrate 8 Mbit\/s, startBitrate 1 Mbit\/s, minBitrate 150 kbit\/s, .*pacerLimit 300 ms/,
  );
  assert.match(facts.get('Parameters of other applications')!, /^iperf3 \(congestionControl bbr, .*flows 1\b/);
  const link = facts.get('Alone')!;
  assert.match(link, /; CoDel: target 5 ms, interval 100 ms;/);
  assert.match(link, /; loss: toBad 1 %, toGood 25 %, bad 100 %, good 0 %;/);
  assert.match(link, /; rate changes to 10 Mbit\/s over 3 s, starting at 2 s;/);
});

test('the parameters of a tunnel have their units', async () => {
  const shipped = await loadRegistries();
  const applications = { call: { service: { id: 'live-clip' }, tunnel: { id: 'quic', sendBuffer: '64kB' } } };
  const { link, title, question, source } = hello;
  const plan = makePlan('tunnelled', { title, question, source, link, applications, subject: 'call' }, shipped);
  const facts = await factsOfPlan(plan, {}, parameterKinds(shipped));
  assert.match([...facts.values()][0]!, /; call in a QUIC tunnel: mode datagram, .*sendBuffer 64 kB(;|$)/);
});

test('parameters that conditions do not share stand with their conditions', async () => {
  const facts = await factsOfPlan(
    planOf({ conditions: { a: { title: 'A' }, b: { title: 'B', service: { maxBitrate: '1mbit' } } } }),
  );
  assert.equal(
    facts.get('Parameters of the service'),
    'the clip (maxBitrate 4 Mbit/s): "A"; the clip (maxBitrate 1 Mbit/s): "B"',
  );
});

test('what the trials had over other programs is said, where anything was tried', async () => {
  const [fact, plan, kinds] = ['Precedence over other programs', planOf({}), parameterKinds(registries)];
  const told = await factsOfPlan(plan, {}, kinds, { priority: { means: 'group', share: 0.99, obstacle: null } });
  assert.equal(told.get(fact), 'by a control group');
  assert.equal((await factsOfPlan(plan)).get(fact), undefined);
});

test('the rates, the length and the start of a trace are told as they were in the trial', async () => {
  const shipped = await loadRegistries();
  const link = { rate: '10mbit', queue: { limit: '100packets' }, trace: '/traces/lte.trace' } as const;
  const plan = makePlan('hello', { ...hello, link, conditions: { alone: {} } } as never, shipped);
  const facts = { opportunities: 9, periodMs: 3000, firstMs: 7, longestPauseMs: 9 };
  const down = { ...facts, meanRateBps: 3e6, lowestRateBps: 1e6, highestRateBps: 8e6 };
  const told = await factsOfPlan(plan, {}, parameterKinds(shipped), { traces: { down, up: null } });
  assert.match(
    [...told.values()].join('\n'),
    /trace: mean 3 Mbit\/s, 1 Mbit\/s to 8 Mbit\/s by the second, 3 s long with 9 opportunities, the first at 7 ms/,
  );
});
