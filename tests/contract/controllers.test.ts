/**
 * What every congestion controller has to keep, whoever wrote it: each folder in server/congestion/ is
 * run through the same simulated links.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadPlugins } from '../../core/plugins.ts';
import { seededRandom } from '../../core/random.ts';
import { z } from '../../core/schema/schema.ts';
import type {
  Constraints,
  Controller,
  ControllerPlugin,
  Decision,
  Feedback,
  PacketResult,
  SentPacket,
  Signal,
  Trace,
} from '../../server/congestion/controller.ts';
import { type SimulationOptions, simulate } from '../sim/simulation.ts';

const folder = new URL('../../server/congestion/', import.meta.url);
const controllers = await loadPlugins<ControllerPlugin>(folder, 'controller');

const constraints: Constraints = { minBps: 50e3, startBps: 300e3, maxBps: 5e6 };
const linkBps = 3e6;
/** Round trip of the simulated path without a queue, ms. */
const rttMs = 50;

/** Numbers in a trace end in a unit, or in a word for a number without one, or say "is" or "in" with 0 or 1. */
const unitSuffix = /(Bps|Ms|Bytes|Packets|Ratio|Gain|Count)$/;
const flagPrefix = /^(is|in)[A-Z]/;

/** What a controller may not use. */
const impure = /\b(Date\.now|new Date|performance\.|Math\.random|setTimeout|setInterval|setImmediate|process\.|node:)/;

function create(plugin: ControllerPlugin): Controller {
  return plugin.create(plugin.params.parse({}));
}

/** As assert.ok, with a message that is made where it is needed: millions of values are right. */
function must(isRight: boolean, message: () => string): void {
  if (!isRight) assert.fail(message());
}

/** Passes everything on and checks everything that comes back. */
class Checked implements Controller {
  readonly #plugin: ControllerPlugin;
  readonly #inner: Controller;
  #constraints = constraints;
  /** The last one given; it stands until the next. */
  #targetBps: number | undefined;
  #lastProbe = -Infinity;

  constructor(plugin: ControllerPlugin) {
    this.#plugin = plugin;
    this.#inner = create(plugin);
  }

  onConstraints(given: Constraints, nowMs: number): Decision {
    this.#constraints = given;
    return this.#check(this.#inner.onConstraints(given, nowMs));
  }

  onPacketSent(packet: SentPacket): Decision {
    return this.#check(this.#inner.onPacketSent(packet));
  }

  onFeedback(feedback: Feedback): Decision {
    return this.#check(this.#inner.onFeedback(feedback));
  }

  onTick(nowMs: number, queuedBytes?: number): Decision {
    return this.#check(this.#inner.onTick(nowMs, queuedBytes));
  }

  trace(): Trace {
    const trace = this.#inner.trace();
    checkTrace(this.#plugin, trace);
    return trace;
  }

  #check(decision: Decision): Decision {
    const {
      targetBps = this.#targetBps,
      pacingBps,
      paddingBps,
      congestionWindowBytes,
      probes = [],
      frameDropRatio = 0,
    } = decision;
    must(frameDropRatio >= 0 && frameDropRatio <= 1, () => `frameDropRatio is ${frameDropRatio}; 0 to 1 is allowed`);
    const { minBps, maxBps } = this.#constraints;
    this.#targetBps = targetBps;
    if (targetBps !== undefined)
      must(
        targetBps >= minBps && targetBps <= maxBps,
        () => `targetBps is ${bps(targetBps)}; the constraints allow ${bps(minBps)} to ${bps(maxBps)}`,
      );
    if (pacingBps !== undefined)
      must(
        Number.isFinite(pacingBps) && pacingBps > 0,
        () => `pacingBps is ${pacingBps}; it must be finite and more than 0`,
      );
    if (paddingBps !== undefined)
      must(
        Number.isFinite(paddingBps) && paddingBps >= 0,
        () => `paddingBps is ${paddingBps}; it must be finite and at least 0`,
      );
    if (congestionWindowBytes !== undefined)
      must(
        congestionWindowBytes > 0,
        () => `congestionWindowBytes is ${congestionWindowBytes}; it must be more than 0`,
      );
    for (const { id, rateBps, minPackets, minBytes } of probes) {
      must(
        Number.isSafeInteger(id) && id > this.#lastProbe,
        () => `a probe has id ${id} after ${this.#lastProbe}; ids must be whole and rise`,
      );
      must(
        Number.isFinite(rateBps) && rateBps > 0,
        () => `a probe's rateBps is ${rateBps}; it must be finite and more than 0`,
      );
      must(
        minPackets >= 1 && Number.isFinite(minPackets) && minBytes >= 0 && Number.isFinite(minBytes),
        () =>
          `a probe has minPackets ${minPackets} and minBytes ${minBytes}; at least 1 packet and 0 bytes, both finite, are allowed`,
      );
      this.#lastProbe = id;
    }
    return decision;
  }
}

/** A name whose form was found to be right for values of that type: there are ten traces a second. */
type CheckedName = { type: string; isFlag: boolean };
const checkedNames = new WeakMap<ControllerPlugin, Map<string, CheckedName>>();

function checkTrace(plugin: ControllerPlugin, trace: Trace): void {
  const checked = checkedNames.get(plugin) ?? new Map<string, CheckedName>();
  checkedNames.set(plugin, checked);
  const names = Object.keys(trace);
  if (names.length !== checked.size || !names.every(name => checked.has(name)))
    assert.deepEqual(names.toSorted(), Object.keys(plugin.traceFields).sort(), 'the plug-in declares what it traces');
  for (const name of names) {
    const value = trace[name]!;
    let known = checked.get(name);
    if (known?.type !== typeof value) checked.set(name, (known = checkedName(name, value)));
    if (typeof value === 'string') continue;
    // JSON has no other numbers, and no negative zero
    must(Number.isFinite(value) && !Object.is(value, -0), () => `trace: ${name} is ${value}; it must be finite`);
    if (known.isFlag) must(value === 0 || value === 1, () => `trace: ${name} is ${value}; it must be 0 or 1`);
  }
}

function checkedName(name: string, value: number | string): CheckedName {
  const isFlag = flagPrefix.test(name);
  if (typeof value === 'string')
    assert.ok(
      !unitSuffix.test(name) && !isFlag,
      `trace: ${name} is the text "${value}", and its name says that it is a number`,
    );
  else if (!isFlag)
    assert.match(
      name,
      unitSuffix,
      `trace: ${name} has no unit in its name (Bps, Ms, Bytes, Packets, Ratio, Gain, Count)`,
    );
  return { type: typeof value, isFlag };
}

const bps = (value: number) => `${Math.round(value)} bit/s`;

/** Half of what is `wanted` arrives again. */
function returns(arrivedBps: number, wantedBps: number, when: string, of = 'before arrived'): void {
  assert.ok(
    arrivedBps > 0.5 * wantedBps,
    `${bps(arrivedBps)} arrive ${when}; more than half of ${bps(wantedBps)} (${of}) is required`,
  );
}

function run(plugin: ControllerPlugin, options: Omit<SimulationOptions, 'controller'>) {
  return simulate({ constraints, feedback: plugin.feedback, ...options, controller: new Checked(plugin) });
}

test('there are controllers', () => assert.ok(controllers.size > 0));

for (const [id, plugin] of controllers) {
  const ignores = (signal: Signal) => plugin.ignores?.includes(signal) ?? false;

  test(`${id}: says what it is`, () => {
    assert.equal(plugin.id, id);
    assert.ok(plugin.title.length > 0 && plugin.source.length > 0, 'title and source must not be empty');
    assert.ok(existsSync(new URL(`${id}/README.md`, folder)), `server/congestion/${id}/README.md is missing`);
    for (const [name, about] of Object.entries(plugin.traceFields))
      assert.ok(about.length > 0, `traceFields.${name} does not say what the value is`);
  });

  test(`${id}: every parameter has a default and a description; others are refused`, () => {
    plugin.params.parse({});
    assert.equal(
      plugin.params.safeParse({ noSuchParameter: 1 }).success,
      false,
      'an unknown parameter is accepted; make params with object() of core/schema/schema.ts',
    );
    if (plugin.params instanceof z.ZodObject) {
      for (const [name, field] of Object.entries(plugin.params.shape))
        assert.ok((field as z.ZodType).description, `${name} has no description`);
    }
  });

  test(`${id}: has no clock, no timers and no randomness of its own`, () => {
    const directory = new URL(`${id}/`, folder);
    for (const file of readdirSync(directory, { recursive: true })
      .map(String)
      .filter(name => name.endsWith('.ts'))) {
      const found = impure.exec(readFileSync(new URL(file, directory), 'utf8'));
      assert.equal(found, null, `${file} uses ${found?.[0]}; time is an argument of every call`);
    }
  });

  test(`${id}: the first decision says target and pacing rate`, () => {
    const { targetBps, pacingBps } = create(plugin).onConstraints(constraints, 0);
    const { minBps, maxBps } = constraints;
    assert.ok(
      targetBps !== undefined && pacingBps !== undefined,
      `onConstraints gave targetBps ${targetBps} and pacingBps ${pacingBps}; the first call must give both`,
    );
    assert.ok(
      targetBps >= minBps && targetBps <= maxBps,
      `targetBps is ${bps(targetBps)}; the constraints allow ${bps(minBps)} to ${bps(maxBps)}`,
    );
    checkTrace(plugin, create(plugin).trace());
  });

  test(`${id}: decisions are finite and within the constraints, whatever the link does`, () => {
    run(plugin, {
      durationMs: 60e3,
      seed: 5,
      link: [
        { atMs: 0, rateBps: 4e6 },
        { atMs: 8e3, rateBps: 300e3 },
        { atMs: 16e3, rateBps: 8e6, lossRatio: 0.1 },
        { atMs: 24e3, rateBps: 0 },
        { atMs: 28e3, rateBps: 2e6, lossRatio: 0 },
        { atMs: 50e3, lossRatio: 0.4 },
      ],
      constraintSteps: [
        { atMs: 12e3, maxBps: 200e3 },
        { atMs: 30e3, maxBps: 6e6, minBps: 100e3 },
        { atMs: 45e3, minBps: 50e3, maxBps: 50e3 },
      ],
      tcp: [{ fromMs: 32e3, toMs: 40e3 }],
      cross: [{ rateBps: 1.9e6, on: [{ fromMs: 40e3, toMs: 44e3 }] }],
      feedbackLoss: [{ fromMs: 47e3, toMs: 49e3 }],
      media: { pauses: [{ fromMs: 4e3, toMs: 6e3 }], jitterRatio: 0.8 },
    });
  });

  test(`${id}: the same calls give the same decisions`, () => {
    const options = {
      durationMs: 30e3,
      link: [
        { atMs: 0, rateBps: 2e6, lossRatio: 0.02 },
        { atMs: 15e3, rateBps: 1e6 },
      ],
      tcp: [{ fromMs: 20e3, toMs: 30e3 }],
    };
    const [first, second] = [run(plugin, options), run(plugin, options)];
    assert.deepEqual(first.targets, second.targets);
    assert.deepEqual(first.traces, second.traces);
    assert.deepEqual(first.packets, second.packets);
  });

  if (ignores('capacity')) {
    test(`${id}: its target is the same on any link`, () => {
      const [wide, narrow] = [linkBps, linkBps / 10].map(link => run(plugin, { durationMs: 30e3, link }));
      assert.deepEqual(
        wide!.targets,
        narrow!.targets,
        "its targets differ between two links; a controller that reacts to the link does not declare ignores: ['capacity']",
      );
    });
  } else {
    test(`${id}: uses most of an idle link`, () => {
      const recording = run(plugin, { durationMs: 90e3, link: linkBps });
      const percent = 100 * recording.utilisation(60e3, 90e3);
      assert.ok(
        percent > 70,
        `uses ${percent.toFixed(1)} % of an idle link of ${bps(linkBps)} after 60 s; ` +
          "more than 70 % are required, or declare ignores: ['capacity']",
      );
    });
  }

  test(`${id}: without feedback for 30 s it sends no more than before, and returns`, () => {
    const recording = run(plugin, { durationMs: 150e3, link: linkBps, feedbackLoss: [{ fromMs: 40e3, toMs: 70e3 }] });
    const before = recording.sentBps(30e3, 40e3);
    const without = recording.sentBps(60e3, 70e3);
    assert.ok(
      without <= 1.1 * before,
      `sends ${bps(without)} after 20 s without feedback and sent ${bps(before)} before; at most 1.1 times as much is allowed`,
    );
    returns(recording.arrivedBps(130e3, 150e3), before, '60 s after feedback came back');
  });

  test(`${id}: after 30 s without media it returns`, () => {
    const recording = run(plugin, {
      durationMs: 130e3,
      link: linkBps,
      media: { pauses: [{ fromMs: 40e3, toMs: 70e3 }] },
    });
    returns(recording.arrivedBps(110e3, 130e3), recording.arrivedBps(30e3, 40e3), '40 s after media came back');
  });

  test(`${id}: on a dead link it ${ignores('silence') ? 'keeps its target' : 'comes near the minimum'}, and returns`, () => {
    const recording = run(plugin, {
      durationMs: 150e3,
      link: [
        { atMs: 0, rateBps: linkBps },
        { atMs: 40e3, rateBps: 0 },
        { atMs: 70e3, rateBps: linkBps },
      ],
    });
    const before = recording.sentBps(30e3, 40e3);
    // what was on its way when the link died has been reported after a second
    if (ignores('silence'))
      assert.equal(
        recording.targetAt(70e3),
        recording.targetAt(41e3),
        "its target changes on a dead link; a controller that reacts to silence does not declare ignores: ['silence']",
      );
    else {
      const dead = recording.sentBps(65e3, 70e3);
      assert.ok(
        dead < 3 * constraints.minBps,
        `sends ${bps(dead)} on a dead link; less than ${bps(3 * constraints.minBps)} (3 times the minimum) is ` +
          "required, or declare ignores: ['silence']",
      );
    }
    returns(recording.arrivedBps(130e3, 150e3), before, '60 s after the link came back');
  });

  test(`${id}: where half of all packets is lost it ${ignores('loss') ? 'goes on sending' : 'comes near the minimum, and returns'}`, () => {
    const recording = run(plugin, {
      durationMs: 180e3,
      link: [
        { atMs: 0, rateBps: linkBps },
        { atMs: 40e3, lossRatio: 0.5 },
        { atMs: 80e3, lossRatio: 0 },
      ],
    });
    const leastBps = Math.max(3 * constraints.minBps, ((plugin.minWindowBytes ?? 0) * 8000) / rttMs);
    const least =
      `${bps(leastBps)} ` +
      `(${leastBps === 3 * constraints.minBps ? '3 times the minimum' : 'its smallest window in a round trip'})`;
    const lossy = recording.sentBps(70e3, 80e3);
    assert.equal(
      lossy < leastBps,
      !ignores('loss'),
      ignores('loss')
        ? `sends ${bps(lossy)} at 50 % loss, less than ${least}; a controller that reacts to loss does not declare ignores: ['loss']`
        : `sends ${bps(lossy)} at 50 % loss; less than ${least} is required, or declare ignores: ['loss']`,
    );
    const wanted = ignores('capacity') ? recording.targetAt(0)! : linkBps;
    returns(recording.arrivedBps(160e3, 180e3), wanted, '80 s after the loss ended', 'the link carries');
  });

  test(`${id}: strange feedback leaves it finite`, () => {
    const random = seededRandom(11);
    const below = (limit: number) => Math.floor(random.next() * limit);
    const controller = new Checked(plugin);
    controller.onConstraints(constraints, 0);
    let sent: SentPacket[] = [];
    let missing: PacketResult[] = [];
    let nowMs = 0;
    let clockMs = 0;
    let probe: number | undefined;
    for (let sequence = 0; sequence < 5000; sequence++) {
      nowMs += random.next() < 0.5 ? 0 : random.next() * (random.next() < 0.01 ? 5000 : 20);
      const packet: SentPacket = {
        sequence,
        sentMs: nowMs,
        sizeBytes: below(1500),
        kind: 'media',
        inFlightBytes: below(1e6),
        ...(probe === undefined ? {} : { probe }),
      };
      controller.onPacketSent(packet);
      sent.push(packet);
      if (below(3) === 0) probe = controller.onTick(nowMs, below(1e5)).probes?.at(-1)?.id ?? probe;
      if (below(12) !== 0) continue;
      // Clock jumps, late news of packets reported missing, arrivals in any order, nothing at all.
      if (below(50) === 0) clockMs += (random.next() - 0.5) * 1e5;
      const late = missing
        .filter(() => random.next() < 0.5)
        .map((result): PacketResult => ({ ...result, receivedMs: nowMs + clockMs + 1e6 }));
      const news = sent.map(
        (sentPacket): PacketResult => ({
          ...sentPacket,
          receivedMs: random.next() < 0.2 ? null : sentPacket.sentMs + clockMs + 1e6 + random.next() * 200,
        }),
      );
      const packets = below(20) === 0 ? [] : [...late, ...news].sort((a, b) => a.sequence - b.sequence);
      const rtt = below(2) === 0 ? {} : { rttMs: random.next() * 500 };
      // the largest that a REMB can say is (2^18 - 1) x 2^63
      const estimate =
        plugin.feedback === 'remb'
          ? { receiverEstimateBps: [0, random.next() * 1e7, 0x3ffff * 2 ** 63][below(3)]! }
          : {};
      nowMs += random.next() * 100;
      probe =
        controller
          .onFeedback({ arrivedMs: nowMs, packets, inFlightBytes: below(1e6), ...rtt, ...estimate })
          .probes?.at(-1)?.id ?? probe;
      missing = news.filter(({ receivedMs }) => receivedMs === null);
      sent = [];
      controller.trace();
    }
  });
}
