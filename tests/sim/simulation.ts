/**
 * A video sender with any controller (harness/virtual/sender.ts) over one bottleneck, with other traffic, in virtual
 * time. The same options give the same recording.
 */
import { type CrossOptions, RenoFlow, type Span, startCross } from '../../harness/virtual/competitors.ts';
import { EventQueue } from '../../harness/virtual/event-queue.ts';
import { Link, type LinkStep } from '../../harness/virtual/link.ts';
import { Recording } from '../../harness/virtual/recording.ts';
import { Sender, type SenderOptions } from '../../harness/virtual/sender.ts';

export type SimulationOptions = SenderOptions & {
  durationMs: number;
  /** Steps of the link, or one rate for the whole time. */
  link: readonly LinkStep[] | number;
  /** Longest queue, as time at the first rate, ms. */
  queueMs?: number;
  oneWayMs?: number;
  cross?: readonly CrossOptions[];
  tcp?: readonly Span[];
};

export function simulate({ durationMs, link: rates, cross = [], tcp = [], ...options }: SimulationOptions): Recording {
  const steps = typeof rates === 'number' ? [{ atMs: 0, rateBps: rates }] : rates;
  const events = new EventQueue();
  const link = new Link({
    steps,
    queueBytes: Math.round((steps[0]!.rateBps! / 8000) * (options.queueMs ?? 300)),
    oneWayMs: options.oneWayMs ?? 25,
    seed: options.seed ?? 1,
  });
  const recording = new Recording(link);
  new Sender(options, { events, link }, recording).begin(0);
  for (const flow of cross) startCross(events, link, flow);
  const flows = tcp.map(span => new RenoFlow(events, link, options.returnMs ?? 25, span));
  events.runUntil(durationMs);
  recording.tcpBytes = flows.map(flow => flow.ackedBytes);
  return recording;
}
