/**
 * Deadlines for the parts of a trial other than applications: the link, the network, the probes. Each part has shorter
 * deadlines of its own; these end the trial if a part misses its own.
 */
import { realClock } from '../../core/system/clock.ts';
import { within } from '../../core/system/deadline.ts';
import { defaultMeasure } from '../../core/vocabulary/measure.ts';
import { type ProbeMakers, realProbes } from './probes.ts';
import type { TrialOptions } from './trial-options.ts';

/** Deadline for an answer of the link, the network or a probe, ms. */
const answerMs = 60e3;
/**
 * Deadline for steps that may have to send programs to another machine first, and for the proof of a link, which sends
 * many probes, ms.
 */
const longMs = 300e3;
/** Deadline for steps that fetch a file from another machine in parts, ms. */
const bringMs = 1800e3;

/** Returns the options with defaults filled in. Calls to the link, the network and the probes have deadlines. */
export function withDeadlines(options: TrialOptions): Required<TrialOptions> {
  const { shapedLink, clock = realClock, probes = realProbes } = options;
  const soon = <T>(what: string, answer: Promise<T>, ms = answerMs) => within(answer, ms, what, { clock });
  const bounded: ProbeMakers = {
    load: hosts => probes.load(hosts),
    suspend: () => probes.suspend(),
    ping(...of) {
      const ping = probes.ping(...of);
      return { failed: ping.failed, stop: () => soon('ping to stop', ping.stop()) };
    },
    async capture(...of) {
      const capture = await soon('the capture to start', probes.capture(...of), longMs);
      return { failed: capture.failed, stop: () => soon('the capture to stop', capture.stop(), bringMs) };
    },
  };
  return {
    measure: defaultMeasure,
    onWindow: () => {},
    onEnd: () => {},
    listenersOf: () => undefined,
    sampleMs: 1000,
    ...options,
    clock,
    probes: bounded,
    checkNetwork: () => soon('the network to be checked', options.checkNetwork()),
    received: () => soon('what the clients have received', options.received()),
    prove: () => soon('the proof of the link', options.prove(), longMs),
    shapedLink: {
      get failed() {
        return shapedLink.failed;
      },
      get traces() {
        return shapedLink.traces;
      },
      get further() {
        return shapedLink.further;
      },
      clear: () => soon('the link to be cleared', shapedLink.clear()),
      set: (...to) => soon('the link to be set', shapedLink.set(...to), longMs),
      change: to => soon('the link to be changed', shapedLink.change(to)),
      verify: () => soon('the link to be verified', shapedLink.verify()),
      start: () => soon('the link to start', shapedLink.start()),
      counters: () => soon('the counters of the link', shapedLink.counters()),
      endLogs: () => soon('the log of the queue to end', shapedLink.endLogs(), bringMs),
    },
  };
}
