/**
 * One call from Chromium to the receiver in receiver.ts, over a link of the product's own: what Chromium said, and what
 * the receiver saw.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallOptions } from '../../../client/wire.ts';
import { sleep, within } from '../../../core/system/deadline.ts';
import { LineSplitter } from '../../../core/system/jsonl.ts';
import type { Link } from '../../../core/vocabulary/link.ts';
import { withRates } from '../../../harness/services/chromium-call/answer-rates.ts';
import { cameraFile, cameraSwitches } from '../../../harness/services/chromium-call/camera-file.ts';
import { openCallPage } from '../../../harness/services/chromium-call/pages.ts';
import { findBrowser } from '../../../harness/trial/browser/find.ts';
import { openBrowser } from '../../../harness/trial/browser/launch.ts';
import { extensionUri } from '../../../server/rtp/header-extensions.ts';
import { Capture } from '../../../shaper/recording/capture.ts';
import { hostDevice } from '../../../shaper/topology/legs.ts';
import type { BenchNetwork } from '../bbr3/network.ts';
import { sendTimesEnvironment } from './send-times.ts';

const receiver = fileURLToPath(new URL('receiver.ts', import.meta.url));
const video = { width: 1280, height: 720, frameRate: 30 } as const;
const options: CallOptions = { ...video, codec: 'h264', maxBps: 8e6, degradation: null, audio: null };
export const rates = { startBps: 300e3, minBps: 50e3, maxBps: 8e6 };

export type Scenario = {
  name: string;
  link: Link;
  durationMs: number;
  /** A TCP flow in the middle third. */
  flood?: 'cubic';
};

export type CallFiles = {
  /** What Chromium said. */
  log: string;
  /** What left its host. */
  sent: string;
  /** When Chromium took each packet to be sent. */
  sendTimes: string;
  /** What the receiver saw and reported. */
  received: string;
  /** Id of the transport-wide sequence number. */
  sequenceId: number;
};

/** Runs the call; the files are complete when it has resolved. `sendTimes`: the library in front of Chromium's own. */
export async function runShadowCall(
  { dumbbell, link: shapedLink }: BenchNetwork,
  scenario: Scenario,
  seed: number,
  directory: string,
  sendTimes: string,
): Promise<CallFiles> {
  const file = (name: string) => join(directory, `${scenario.name}.${name}`);
  const files = {
    log: file('chromium.log'),
    sent: file('sent.pcap'),
    sendTimes: file('send-times'),
    received: file('received.jsonl'),
  };
  const { hosts, addresses } = dumbbell;
  await shapedLink.set(scenario.link, seed);
  const camera = await cameraFile({ clip: 'high-motion', clipLength: 5000, codec: 'h264', ...video });
  const child = hosts.client.start(
    'shadow receiver',
    [process.execPath, '--disable-warning=ExperimentalWarning', receiver, files.received],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const capture = await Capture.start(hosts.server, hostDevice, files.sent);
  const browser = await openBrowser({
    executable: findBrowser(),
    host: hosts.server,
    scratch: directory,
    headed: false,
    isTrusted: true,
    ...video,
    log: files.log,
    environment: sendTimesEnvironment(sendTimes, files.sendTimes),
    switches: [...cameraSwitches(camera), '--enable-logging=stderr', '--vmodule=*/webrtc/*=3'],
  });
  try {
    await openCallPage(browser, 'caller');
    const offer = await browser.page.evaluate<string>(`coexist.offer(${JSON.stringify(options)})`);
    const answered = new Promise<string>(resolve => {
      const lines = new LineSplitter(line => resolve(JSON.parse(line) as string));
      child.process.stdout!.setEncoding('utf8').on('data', (text: string) => lines.push(text));
    });
    child.process.stdin!.write(`${JSON.stringify(offer)}\n`);
    const answer = await within(answered, 10_000, "the receiver's answer");
    await browser.page.evaluate(`coexist.accept(${JSON.stringify(withRates(answer, 'H264', rates))})`);
    await shapedLink.start();
    if (scenario.flood === undefined) await sleep(scenario.durationMs);
    else {
      const third = scenario.durationMs / 3;
      await sleep(third);
      const server = hosts.client.start('flood receiver', ['iperf3', '-s', '-1']);
      await sleep(500);
      await hosts.other.run(['iperf3', '-c', addresses.client, '-C', scenario.flood, '-t', String(third / 1000)], {
        allowFailure: true,
        timeoutMs: third + 20_000,
      });
      await server.stop('SIGKILL');
      await sleep(third);
    }
    await browser.page.evaluate('coexist.close()');
    await capture.stop();
    const sequenceId = Number(new RegExp(`a=extmap:(\\d+)\\S* ${extensionUri.transportSequence}`).exec(answer)?.[1]);
    return { ...files, sequenceId };
  } finally {
    await browser.close();
    await capture.stop().catch(() => {});
    child.process.stdin!.end();
    await within(child.ended, 5000, 'the receiver to end').catch(() => child.stop('SIGKILL'));
  }
}
