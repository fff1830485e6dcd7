/** The main job on real parts: a real Chromium, real namespaces, a real flood. */

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { test as anyTest, describe, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { packetDelays } from '../../harness/analysis/derive/packet-delays.ts';
import { splitLatency } from '../../harness/analysis/derive/timeline/frame-parts.ts';
import { timelineOf } from '../../harness/analysis/derive/timeline/timeline.ts';
import type { Summary } from '../../harness/analysis/summary/summary.ts';
import { allSeries } from '../../harness/exchange/all-series.ts';
import { seriesTable } from '../../harness/exchange/series-table.ts';
import { loadSeries } from '../../harness/record/load-series.ts';
import { machineName } from '../../harness/record/machine-name.ts';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { presentedSeries } from '../../harness/record/series/frames.presented.ts';
import { packetSeries } from '../../harness/record/series/packets.ts';
import { pictureComparisonSeries } from '../../harness/record/series/picture-comparison.ts';
import { pictureQualitySeries } from '../../harness/record/series/picture-quality.ts';
import { senderSeries } from '../../harness/record/series/sender.ts';
import { TrialRecord } from '../../harness/record/trial-record.ts';
import { describeField } from '../unit/harness/support/describe-field.ts';
import { sharedStart } from '../unit/support/shared-start.ts';
import { disturbedBy, sayTries } from './support/disturbed.ts';
import { cannotRun, type Ended, finishOrStop, Place } from './support/run-command.ts';

describe('a study from end to end', { skip: cannotRun }, () => {
  const place = new Place();
  let ended: Ended;

  const begin = async () => {
    const session = place.start([
      'experiment',
      'hello',
      '--set',
      'run.window=4s',
      '--set',
      'run.retries=10',
      '--set',
      'service.width=640',
      '--set',
      'service.height=360',
      '--set',
      'service.clipLength=2s',
      '--set',
      'service.pictureQuality=true',
      '--set',
      'conditions.flood.link.loss=2%',
      '--out',
      place.out,
      '--json',
    ]);
    ended = await finishOrStop(session, 240_000);
  };
  sharedStart(begin, () => place.remove());

  const record = (name: string) => {
    const folder = RunFolder.open(place.out);
    return new TrialRecord(folder.trialFile(name), folder.trialFolder(name));
  };
  const names = ['0001-baseline', '0002-flood'];
  /** A test that needs both trials. */
  const test = (what: string, check: (context: TestContext) => void | Promise<void>) =>
    anyTest(what, context => {
      const disturbed = disturbedBy(place.out, names);
      return disturbed === undefined ? check(context) : context.skip(disturbed);
    });

  test('it ends with 0, and its JSON is the summary on disk', context => {
    sayTries(context, place.out);
    assert.equal(ended.status, 0, ended.stderr);
    const printed = JSON.parse(ended.stdout) as Summary;
    assert.deepEqual(printed, JSON.parse(readFileSync(join(place.out, 'summary.json'), 'utf8')));
    assert.deepEqual(
      printed.conditions.map(condition => condition.trials),
      [1, 1],
    );
  });

  test('each trial names its machine, and what it ran on, also without a queue', () => {
    const { versions } = RunFolder.open(place.out).planFile();
    for (const name of names) {
      const { machine, software } = record(name).file;
      assert.equal(machine, machineName());
      assert.deepEqual(software!.versions, versions);
      assert.equal(software!.versions.kernel, release());
      assert.match(software!.versions.browser!, /\d+\.\d+/);
      assert.match(software!.versions.iperf3!, /^iperf /);
      assert.ok(software!.versions.commit === null || /^[0-9a-f]{12}\+?$/.test(software!.versions.commit));
    }
  });

  test('it leaves no namespace, no state and no half trial behind', async () => {
    assert.deepEqual(await place.namespaces(), []);
    assert.deepEqual(existsSync(place.state) ? readdirSync(place.state) : [], []);
    assert.deepEqual(
      place.trials().filter(name => !name.includes('.void')),
      names,
    );
  });

  test('the viewer saw moving frames without a stall of our own making', () => {
    const { conditions } = JSON.parse(ended.stdout) as Summary;
    const [baseline] = conditions;
    assert.ok(
      baseline!.metrics['decoded-frame-rate']!.value! > 55,
      JSON.stringify(baseline!.metrics['decoded-frame-rate']),
    );
    assert.equal(baseline!.metrics['stall-count']!.value, 0);
    assert.ok(baseline!.metrics['goodput']!.value! > 1e6);
    assert.ok(baseline!.metrics['rtt-median']!.value! < 5);
    assert.ok(baseline!.metrics['frame-latency-median']!.value! > 1);
  });

  test('the flood was what it is called, filled the link, and lost what the seed says', async () => {
    const { conditions } = JSON.parse(ended.stdout) as Summary;
    const flood = conditions[1]!;
    assert.ok(flood.together['goodput']!.value! > 5e6);
    assert.ok(flood.metrics['link-utilisation']!.value! > 0.8);
    const { file, flood: read } = record('0002-flood');
    assert.match(read!.label, /^BBRv[13]$/);
    assert.deepEqual(
      read!.flows.map(flow => flow.congestionControl),
      ['bbr'],
    );
    const { predictedLosses } = await import('../../shaper/tc/loss.ts');
    const udp = file.bottleneck!.after.randomLoss.find(flow => flow.protocol === 17 && flow.source === '10.0.1.2')!;
    assert.equal(
      udp.lostPackets,
      predictedLosses(
        file.trial.seed,
        { kind: 'independent', ratio: 0.02 },
        { source: udp.source, destination: '10.0.2.2', protocol: 17 },
        udp.packets,
      ).length,
    );
  });

  test('the link was proved before the first trial on it, and nothing of it was refused', () => {
    for (const name of names) {
      const { preflight, backend } = record(name).file;
      assert.equal(backend, 'emulator');
      assert.ok(
        preflight !== null && ['passed', 'degraded'].includes(preflight.status),
        `${name}: ${preflight?.summary}`,
      );
      assert.deepEqual(
        preflight.readings.filter(({ verdict }) => verdict === 'refused'),
        [],
      );
      assert.ok(
        ['rate', 'queue-plateau', 'serialisation', 'loss-list'].every(id =>
          preflight.readings.some(reading => reading.id === id),
        ),
        name,
      );
    }
  });

  test('the trials had precedence over other programs, as this machine lets them', () => {
    for (const name of names) {
      const { priority } = record(name).file;
      assert.ok(
        priority !== undefined && priority.means !== 'none' && priority.share! >= 0.9,
        JSON.stringify(priority),
      );
    }
  });

  test('start-up and teardown lie outside the window', () => {
    for (const name of names) {
      const {
        file: { phases: times },
        own,
      } = record(name);
      const phases = times!;
      assert.ok(phases.windowStartMs - own!.readyMs! >= 3000, name);
      assert.equal(phases.windowEndMs - phases.windowStartMs, 4000);
      assert.ok(phases.endMs > phases.windowEndMs);
      assert.ok(own!.readyMs! > own!.startMs! && own!.stopMs! >= phases.windowEndMs);
    }
  });

  test('frames are found again by their RTP timestamp, packets by their transport sequence', async () => {
    const trial = record('0001-baseline');
    const sent = new Set((await trial.sentFrames()).map(frame => frame.rtpTimestamp));
    const presented = await trial.read(presentedSeries);
    const joined = presented.filter(frame => frame.rtpTimestamp !== null && sent.has(frame.rtpTimestamp));
    assert.ok(joined.length > 0.98 * presented.length, `${joined.length} of ${presented.length}`);
    const packets = (await trial.read(packetSeries)).filter(packet => packet.sentMs < trial.window.endMs);
    assert.ok(packets.filter(packet => packet.receivedMs !== null).length > 0.99 * packets.length);
    for (const [i, packet] of packets.entries()) assert.equal(packet.sequence, packets[0]!.sequence + i);
  });

  test("the frames shown are the clip's, as the numbers painted in them prove, and are like it", async () => {
    for (const name of names) {
      const trial = record(name);
      const comparison = (await trial.read(pictureComparisonSeries))[0]!;
      assert.equal(comparison.problem, null, name);
      assert.ok(
        comparison.shownPictures > 0.8 * 60 * 4 && comparison.numbersRight > 0.98 * comparison.shownPictures,
        JSON.stringify(comparison),
      );
      const compared = await trial.read(pictureQualitySeries);
      assert.ok(Math.abs(compared.length - 60 * 4) <= 12, `${compared.length} periods of ${60 * 4}`);
      const inTime = compared.filter(({ shownFrame, wantedFrame }) => shownFrame === wantedFrame);
      assert.ok(
        inTime.every(({ psnrDb }) => psnrDb > 20) && inTime.length > 0.8 * compared.length,
        `${inTime.length} of ${compared.length} in time`,
      );
    }
    const { conditions } = JSON.parse(ended.stdout) as Summary;
    assert.ok(
      conditions.every(({ metrics }) => metrics['psnr-mean']!.value! > 20 && metrics['ssim-mean']!.value! > 0.5),
    );
  });

  test('every packet that arrived has its path, on one clock', async () => {
    const delays = (await packetDelays(record('0001-baseline')))!;
    assert.ok(delays.length > 100);
    assert.ok(
      delays.every(delayMs => delayMs > -5 && delayMs < 200),
      `from ${Math.min(...delays)} to ${Math.max(...delays)} ms`,
    );
  });

  test('lost packets were sent again, with nothing left unrepaired', async () => {
    const trial = record('0002-flood');
    const packets = (await trial.read(packetSeries)).filter(packet => packet.kind === 'retransmission');
    assert.ok(packets.length > 0);
    const sender = (await trial.read(senderSeries)).at(-1)!;
    assert.ok(sender.nackedPackets > 0 && sender.retransmissions > 0);
    assert.equal(sender.malformedRtcp, 0);
  });

  test("each media packet is found again at the bottleneck, each lost one with its reason, and frames' parts add up", async t => {
    const [alone, beside] = [record('0001-baseline'), record('0002-flood')];
    if (beside.file.queueLog === null) return t.skip('this machine keeps no log of the queue');
    for (const trial of [alone, beside]) {
      const { frames, receiverClock } = await timelineOf(trial);
      assert.ok(receiverClock!.spreadMs < 2, JSON.stringify(receiverClock));
      const presented = frames.filter(frame => frame.presentedMs !== null);
      assert.ok(presented.length > 100);
      assert.ok(
        presented.filter(frame => frame.offeredMs !== null && (frame.last === null || frame.last.queue !== null))
          .length >
          0.99 * presented.length,
      );
      for (const frame of presented) {
        const parts = splitLatency(frame, frame.presentedMs!);
        assert.ok(
          Math.abs(Object.values(parts).reduce((sum, ms) => sum + ms, 0) - (frame.presentedMs! - frame.captureMs)) <
            1e-3,
          JSON.stringify({ frame, parts }),
        );
      }
    }
    // what was under way at the end was never repaired
    const lossy = (await timelineOf(beside)).frames.filter(frame => frame.lost > 0 && frame.presentedMs !== null);
    assert.ok(
      lossy.length > 0 && lossy.every(({ lost, dropped }) => dropped['random-loss'] + dropped.overflow === lost),
      JSON.stringify(lossy.map(({ lost, dropped }) => ({ lost, dropped }))),
    );
    assert.ok(lossy.every(frame => frame.repairs !== null));
  });

  test('the record names encoder, browser, clip and kernel', () => {
    const service = record('0001-baseline').own!.facts as {
      encoder: { codec: string };
      browser: string;
      clip: { frames: number };
      ffmpeg: string;
    };
    assert.match(service.encoder.codec, /^(libx264|h264_nvenc)$/);
    assert.match(service.browser, /^\d+\./);
    assert.equal(service.clip.frames, 120);
    const { versions } = RunFolder.open(place.out).planFile();
    assert.ok(versions.kernel.length > 0 && versions.iperf3 !== null);
  });

  test('every field that occurs in the record is in the data dictionary', async () => {
    const series = await allSeries();
    for (const name of names) {
      for (const [id, one] of Object.entries(series)) {
        const table = await seriesTable(record(name), one);
        for (const column of table ?? [])
          assert.ok(describeField(series, id, column.name) !== undefined, `${name}: ${id}.${column.name}`);
      }
    }
  });

  test('every line of the record fits the schema of its series', async () => {
    let lines = 0;
    for (const series of (await loadSeries()).values()) {
      for (const name of names) {
        for (const line of await record(name).read(series)) {
          const { error } = series.schema.safeParse(line);
          assert.equal(error, undefined, `${name}: ${series.id}: ${JSON.stringify(line)}: ${error?.message}`);
          lines++;
        }
      }
    }
    assert.ok(lines > 1000, `only ${lines} lines`);
  });

  test('the report opens from disk, draws its charts, and asks the network for nothing', async () => {
    const { chromium } = await import('playwright-core');
    const { findBrowser } = await import('../../harness/trial/browser/find.ts');
    const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      const requests: string[] = [];
      const errors: string[] = [];
      page.on('request', request => requests.push(request.url()));
      page.on('pageerror', error => errors.push(error.message));
      page.on('console', message => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await page.goto(pathToFileURL(join(place.out, 'report.html')).href);
      const charts = await page.locator('.chart').count();
      for (let i = 0; i < charts; i++) await page.locator('.chart').nth(i).scrollIntoViewIfNeeded();
      await page
        .locator('.chart canvas')
        .nth(charts - 1)
        .waitFor();
      assert.equal(await page.locator('.chart canvas').count(), charts);
      assert.ok(charts >= 5);
      assert.deepEqual(errors, []);
      assert.deepEqual(
        requests.filter(url => !url.startsWith('file:') && !url.startsWith('data:')),
        [],
      );
      for (const id of ['table-1', 'goodput-series', 'rtt-cdf', 'rtt-series', 'harm', 'frame-rate-series', 'overview'])
        assert.ok((await page.locator(`section#${id} > h2`).count()) === 1, id);
    } finally {
      await browser.close();
    }
  });

  test('a report can be rendered again, and a folder that is none is refused', async () => {
    const again = await place.run(['report', place.out]);
    assert.equal(again.status, 0, again.stderr);
    assert.match(again.stdout, /report\.html/);
    const none = await place.run(['report', place.path]);
    assert.equal(none.status, 1);
    assert.match(none.stderr, /is not the folder of a run/);
  });
});
