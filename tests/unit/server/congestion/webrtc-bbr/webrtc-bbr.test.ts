import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  Controller,
  Decision,
  PacketResult,
  SentPacket,
  Trace,
} from '../../../../../server/congestion/controller.ts';
import { plugin } from '../../../../../server/congestion/webrtc-bbr/index.ts';
import { near } from '../gcc/near.ts';

const constraints = { minBps: 30e3, startBps: 300e3, maxBps: 2e6 };
const packetBytes = 1000;
/** Long enough for STARTUP to end: with 130 kB in flight each of its rounds lasts a second. */
const startUpMs = 8000;

/** A simulated path of one rate with a feedback message every 50 ms; only the path has a queue. */
class Session {
  readonly controller: Controller;
  readonly first: Decision;
  readonly #rateBps: number;
  readonly #delayMs: number;
  #unreported: SentPacket[] = [];
  #sequence = 0;
  #inFlightBytes = 0;
  #pathFreeMs = 0;
  #nowMs = 0;
  #window = Infinity;
  #pacingBps = 0;

  constructor(params: Record<string, unknown> = {}, path = { rateBps: 1e6, delayMs: 40 }) {
    this.controller = plugin.create(plugin.params.parse(params));
    this.#rateBps = path.rateBps;
    this.#delayMs = path.delayMs;
    this.first = this.#apply(this.controller.onConstraints(constraints, 0));
  }

  get trace(): Trace {
    return this.controller.trace();
  }

  get pacingBps(): number {
    return this.#pacingBps;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /**
   * Sends as pacing rate and window allow, at most `mostBps`, and reports every 50 ms. `isLost`: true for lost packets.
   */
  run(
    durationMs: number,
    { mostBps = Infinity, isLost = () => false }: { mostBps?: number; isLost?: (sequence: number) => boolean } = {},
  ): void {
    const endMs = this.#nowMs + durationMs;
    let budgetBytes = 0;
    for (; this.#nowMs < endMs; this.#nowMs++) {
      budgetBytes = Math.min(budgetBytes + Math.min(this.#pacingBps, mostBps) / 8000, 2 * packetBytes);
      if (budgetBytes >= packetBytes && this.#inFlightBytes < this.#window) {
        budgetBytes -= packetBytes;
        this.#send();
      }
      if (this.#nowMs % 50 === 0) this.#report(isLost);
    }
  }

  #send(): void {
    this.#inFlightBytes += packetBytes;
    const packet: SentPacket = {
      sequence: this.#sequence++,
      sentMs: this.#nowMs,
      sizeBytes: packetBytes,
      kind: 'media',
      inFlightBytes: this.#inFlightBytes,
    };
    this.#unreported.push(packet);
    this.#apply(this.controller.onPacketSent(packet));
  }

  #report(isLost: (sequence: number) => boolean): void {
    const packets: PacketResult[] = [];
    for (const packet of this.#unreported) {
      const departsMs = Math.max(this.#pathFreeMs, packet.sentMs) + (packetBytes * 8000) / this.#rateBps;
      if (departsMs + this.#delayMs > this.#nowMs) break;
      this.#pathFreeMs = departsMs;
      packets.push({ ...packet, receivedMs: isLost(packet.sequence) ? null : departsMs + this.#delayMs / 2 });
    }
    if (packets.length === 0) return;
    this.#unreported = this.#unreported.slice(packets.length);
    this.#inFlightBytes -= packets.length * packetBytes;
    this.#apply(this.controller.onFeedback({ arrivedMs: this.#nowMs, packets, inFlightBytes: this.#inFlightBytes }));
  }

  #apply(decision: Decision): Decision {
    this.#window = decision.congestionWindowBytes ?? this.#window;
    this.#pacingBps = decision.pacingBps ?? this.#pacingBps;
    return decision;
  }
}

test('the start: start rate, pacing and padding at 2.885 x 32 segments in 100 ms, a window of 32 segments', () => {
  const pacingBps = Math.round((2.885 * 32 * 1460 * 8000) / 100);
  assert.deepEqual(new Session().first, {
    targetBps: 300e3,
    pacingBps,
    paddingBps: pacingBps,
    congestionWindowBytes: 32 * 1460,
  });
});

test('STARTUP finds the rate of the path, DRAIN empties it, PROBE_BW follows', () => {
  const session = new Session();
  const states = new Set<string>();
  let highestBps = 0;
  for (let i = 0; i < 800; i++) {
    session.run(10);
    states.add(String(session.trace['state']));
    highestBps = Math.max(highestBps, Number(session.trace['estimateBps']));
  }
  assert.deepEqual([...states], ['startup', 'drain', 'probe-bw']);
  // Reports every 50 ms hold 6 or 7 packets of 8 ms: up to 7 x 8 / 50 of the rate.
  assert.ok(highestBps >= 1e6 && highestBps <= 1.12e6, `${highestBps}`);
  assert.equal(session.trace['isFullBandwidth'], 1);
});

test('padding goes with STARTUP and with the gain above 1 only, at the pacing rate', () => {
  const session = new Session();
  for (let i = 0; i < 400; i++) {
    session.run(10);
    const { state, pacingGain, paddingBps, pacingBps } = session.trace;
    const isProbing = state === 'startup' || (state === 'probe-bw' && Number(pacingGain) > 1);
    assert.equal(paddingBps, isProbing ? pacingBps : 0);
  }
});

test('the gain cycle: the pacing rate is 1.25, 0.75 and 1 x the bandwidth', () => {
  const session = new Session();
  session.run(startUpMs);
  const gains = new Set<number>();
  for (let i = 0; i < 200; i++) {
    session.run(10);
    const { pacingGain, pacingBps, estimateBps } = session.trace;
    gains.add(Number(pacingGain));
    assert.equal(pacingBps, Math.round(Number(pacingGain) * Number(estimateBps)));
  }
  assert.deepEqual([...gains].sort(), [0.75, 1, 1.25]);
});

test('the target is the bandwidth, never above the pacing rate, never above what the media can use', () => {
  const slow = new Session();
  slow.run(startUpMs);
  for (let i = 0; i < 200; i++) {
    slow.run(10);
    const { targetBps, estimateBps, pacingBps } = slow.trace;
    assert.equal(targetBps, Math.min(Math.round(Number(estimateBps)), Number(pacingBps)));
  }
  const fast = new Session({}, { rateBps: 5e6, delayMs: 40 });
  fast.run(5000);
  assert.equal(fast.trace['targetBps'], 2e6);
  assert.ok(Number(fast.trace['estimateBps']) > 4e6);
});

test("the encoder's share, and the pacing rate as target", () => {
  const [less, pacing] = [new Session({ encoderGain: 0.8 }), new Session({ target: 'pacing' })];
  for (const session of [less, pacing]) session.run(startUpMs);
  for (let i = 0; i < 100; i++) {
    for (const session of [less, pacing]) session.run(10);
    assert.equal(
      less.trace['targetBps'],
      Math.round(Math.min(0.8 * Number(less.trace['estimateBps']), Number(less.trace['pacingBps']))),
    );
    assert.equal(pacing.trace['targetBps'], Math.min(Number(pacing.trace['pacingBps']), constraints.maxBps));
  }
});

test('a ceiling for pacing where an application sets a maximum', () => {
  const session = new Session({ pacingCeiling: 'media' }, { rateBps: 5e6, delayMs: 40 });
  assert.equal(session.first.pacingBps, 2e6);
  for (let i = 0; i < 500; i++) {
    session.run(10);
    assert.ok(session.pacingBps <= 2e6);
  }
});

test('PROBE_RTT: after 10 s, with the lowest window, for at least 200 ms, and then PROBE_BW', () => {
  const session = new Session();
  session.run(1000);
  const probes: { fromMs: number; toMs: number }[] = [];
  while (session.nowMs < 30e3) {
    session.run(10);
    const { state, windowBytes, pacingGain, isAppLimited } = session.trace;
    if (state !== 'probe-rtt') continue;
    assert.equal(windowBytes, 4 * 1460);
    assert.equal(isAppLimited, 1, 'samples of the small window do not count');
    assert.equal(pacingGain, 1);
    const last = probes.at(-1);
    if (last !== undefined && session.nowMs - last.toMs <= 10) last.toMs = session.nowMs;
    else probes.push({ fromMs: session.nowMs, toMs: session.nowMs });
  }
  assert.equal(probes.length, Number(session.trace['probeRttCount']));
  assert.ok(probes.length === 2, `${probes.length}`);
  assert.ok(probes[1]!.fromMs - probes[0]!.toMs >= 10e3, 'the ten seconds run from the end of the probe');
  for (const { fromMs, toMs } of probes) assert.ok(toMs - fromMs >= 190 && toMs - fromMs < 1000, `${toMs - fromMs}`);
  assert.equal(session.trace['state'], 'probe-bw');
});

test('PROBE_RTT within STARTUP leads back there', () => {
  const session = new Session({ startupRounds: 20, minRttExpiry: '1s' });
  const states = new Set<string>();
  let last = '';
  for (let i = 0; i < 400; i++) {
    session.run(10);
    const state = String(session.trace['state']);
    states.add(`${last} ${state}`);
    last = state;
  }
  assert.ok(states.has('startup probe-rtt') && states.has('probe-rtt startup'), [...states].join());
});

test('the window of PROBE_BW is two bandwidth-delay products, and what feedback brings at once', () => {
  const session = new Session({}, { rateBps: 4e6, delayMs: 200 });
  session.run(startUpMs);
  for (let i = 0; i < 200; i++) {
    session.run(10);
    const { state, windowBytes, estimateBps, minRttMs } = session.trace;
    if (state !== 'probe-bw') continue;
    const productBytes = (Number(estimateBps) / 8000) * Number(minRttMs);
    // A report acknowledges a quarter of a product at once; an epoch of aggregation holds up to three quarters.
    const [least, most] = [2 * productBytes, 2.75 * productBytes];
    assert.ok(Number(windowBytes) >= 0.99 * least && Number(windowBytes) <= most, `${least} ${windowBytes} ${most}`);
  }
});

test('change 1: PROBE_RTT twice as often, with half of the bandwidth-delay product', () => {
  const session = new Session(
    { minRttExpiry: '5s', probeRttWindow: 'bdp', probeRttGain: 0.5 },
    { rateBps: 4e6, delayMs: 100 },
  );
  session.run(1000);
  let seen = 0;
  while (session.nowMs < 30e3) {
    session.run(10);
    const { state, windowBytes, minRttMs, estimateBps } = session.trace;
    if (state !== 'probe-rtt') continue;
    seen++;
    near(Number(windowBytes), (0.5 * Number(minRttMs) * Number(estimateBps)) / 8000);
  }
  assert.ok(seen > 0);
  assert.ok(Number(session.trace['probeRttCount']) >= 4, `${session.trace['probeRttCount']}`);
});

test('a loss brings recovery and its window; a round without brings it to an end', () => {
  const session = new Session();
  session.run(startUpMs);
  let first = -1;
  session.run(200, { isLost: sequence => (first === -1 || sequence === first) && (first = sequence) >= 0 });
  const seen = new Set<string>([String(session.trace['recoveryState'])]);
  for (let i = 0; i < 100; i++) {
    session.run(10);
    seen.add(String(session.trace['recoveryState']));
  }
  assert.ok(seen.has('conservation') && seen.has('none'), [...seen].join());
  assert.equal(session.trace['recoveryState'], 'none');
});

test('recovery switched off: losses leave the window alone', () => {
  const [on, off] = [new Session(), new Session({ recovery: 'off' })];
  const lowest = [Infinity, Infinity];
  for (const [i, session] of [on, off].entries()) {
    session.run(startUpMs);
    for (let step = 0; step < 100; step++) {
      session.run(10, { isLost: sequence => sequence % 3 === 0 });
      lowest[i] = Math.min(lowest[i]!, Number(session.trace['windowBytes']));
    }
    assert.equal(session.trace['recoveryState'] === 'none', i === 1);
  }
  assert.ok(lowest[0]! < lowest[1]!, lowest.join());
});

test('an encoder that makes less counts in full, unless an application limit is inferred', () => {
  const estimates = ['never', 'inferred'].map(appLimit => {
    const session = new Session({ appLimit });
    session.run(startUpMs);
    session.run(3000, { mostBps: 300e3 });
    return Number(session.trace['estimateBps']);
  });
  assert.ok(estimates[0]! < 500e3, 'the estimate follows the encoder, without padding to probe with');
  assert.ok(estimates[1]! >= 1e6, 'the estimate stays');
});

test('the 12.5 % rule needs an application-limited phase, which the code never announces', () => {
  const probes = [
    { similarRtt: 'if-app-limited' },
    { similarRtt: 'if-app-limited', appLimit: 'inferred' },
    { similarRtt: 'always' },
  ].map(params => {
    const session = new Session(params);
    session.run(startUpMs);
    // Two packets per report, always at the same times before it: the round trip is the same.
    session.run(28_000, { mostBps: 320e3 });
    return [Number(session.trace['probeRttCount']), Number(session.trace['skippedProbeRttCount'])];
  });
  assert.deepEqual(probes[0]![1], 0);
  assert.ok(probes[0]![0]! >= 2);
  for (const [done, skipped] of probes.slice(1)) {
    assert.equal(done, 0);
    assert.ok(skipped! >= 2);
  }
});

test('a rise of the round trip ends STARTUP, where asked', () => {
  const ends = [{}, { exitStartupRtt: '50ms' }].map(params => {
    const session = new Session(params);
    while (session.trace['state'] === 'startup') session.run(10);
    return session.nowMs;
  });
  // The 32 segments of the window take 374 ms on the path. A higher round trip shows within two such times; full
  // bandwidth takes at least four rounds.
  assert.ok(ends[1]! < 2 * 374 && ends[0]! > 4 * 374, ends.join());
});

test('a new flight starts the measurement anew, where asked', () => {
  const estimates = ['never', 'restart'].map(newFlight => {
    const session = new Session({ newFlight });
    session.run(startUpMs);
    session.run(8000, { mostBps: 50e3 });
    return Number(session.trace['estimateBps']);
  });
  // A packet every 160 ms is a separate flight. Its rate counts from the previous packet, or with `restart` from its
  // own send time, 48 to 98 ms ago.
  near(estimates[0], (1000 * 8000) / 160);
  assert.ok(estimates[1]! > (1000 * 8000) / 100, `${estimates[1]}`);
});

test('windows and gains are as set', () => {
  const session = new Session({
    initialWindow: 8000,
    minWindow: 3000,
    encoderGainInProbeRtt: 0.5,
    minRttExpiry: '2s',
    probeGain: 0.5,
  });
  assert.equal(session.first.congestionWindowBytes, 8000);
  const gains = new Set<number>();
  let probes = 0;
  for (let i = 0; i < 1500; i++) {
    session.run(10);
    const { state, windowBytes, targetBps, estimateBps, pacingGain } = session.trace;
    if (state === 'probe-bw') gains.add(Number(pacingGain));
    if (state !== 'probe-rtt') continue;
    probes++;
    assert.equal(windowBytes, 3000);
    assert.equal(targetBps, Math.round(0.5 * Number(estimateBps)));
  }
  assert.ok(probes > 0);
  assert.deepEqual([...gains].sort(), [0.5, 1, 1.5]);
});

test('the trace names what is not as the 2018 code had it', () => {
  assert.equal(new Session().trace['variant'], 'stock');
  assert.equal(
    new Session({ bandwidth: 'third-best', recovery: 'off' }).trace['variant'],
    'bandwidth=third-best recovery=off',
  );
});

test('a decision names only what has changed; feedback without packets changes nothing', () => {
  const { controller } = new Session();
  assert.deepEqual(controller.onTick(25), {});
  assert.deepEqual(controller.onFeedback({ arrivedMs: 30, packets: [], inFlightBytes: 0 }), {});
});

test('constraints move the target at once; the start rate counts once', () => {
  const { controller } = new Session();
  assert.equal(controller.onConstraints({ ...constraints, maxBps: 200e3 }, 10).targetBps, 200e3);
  assert.equal(controller.onConstraints({ ...constraints, startBps: 1e6 }, 20).targetBps, 300e3);
  assert.equal(controller.onConstraints({ ...constraints, minBps: 400e3 }, 30).targetBps, 400e3);
});
