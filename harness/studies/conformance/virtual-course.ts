/**
 * Runs a case in virtual time with the controllers of the media server: the same link, flows and times as in a trial, in
 * a fraction of a second. It has no jitter, no voice, no encoder and no browser, and its TCP is Reno.
 */
import { type Bindable, boundOf, loadBindable } from '../../../core/plugins.ts';
import { type Direction, directions } from '../../../core/vocabulary/direction.ts';
import { isCrossed, rowOf } from '../../../core/vocabulary/hops.ts';
import { type BoundController, bindableController } from '../../../server/congestion/bound-controller.ts';
import { estimateIn } from '../../analysis/derive/sender-estimates.ts';
import type { Application } from '../../definition/applications.ts';
import type { Condition } from '../../definition/conditions.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import { RenoFlow, startCross } from '../../virtual/competitors.ts';
import { EventQueue } from '../../virtual/event-queue.ts';
import { Recording } from '../../virtual/recording.ts';
import { Sender } from '../../virtual/sender.ts';
import { Tap } from '../../virtual/tap.ts';
import { Way } from '../../virtual/way.ts';
import { type Course, courseBottlenecks, type Flow, without } from './analysis/course.ts';
import type { PlannedCase } from './plan.ts';
import { bottleneckObstacle, virtualBottleneck } from './virtual-bottleneck.ts';

const binMs = 100;

type Controllers = ReadonlyMap<string, Bindable<BoundController>>;

export const loadControllers = (): Promise<Map<string, Bindable<BoundController>>> =>
  loadBindable(new URL('../../../server/congestion/', import.meta.url), 'controller', bindableController);

export type VirtualMeans = { registries: Pick<RunnerRegistries, 'services' | 'aqms'>; controllers: Controllers };

/** A case with its condition of one sender. */
type Run = { condition: Condition; media: PlannedCase['media']; bitrate: PlannedCase['bitrate'] };

/** Returns why a condition cannot be run in virtual time; null if it can. */
export function virtualObstacle({ condition, media }: Run, { registries, controllers }: VirtualMeans): string | null {
  const { link, applications } = condition;
  // the reports on the media of a direction pass the other one, and are not ECN-capable
  const fieldsAt = (hop: number, direction: Direction) =>
    applications
      .filter(({ name }) => isCrossed(link.paths[name], hop))
      .map(({ service, direction: own }) =>
        own === direction ? (boundOf(registries.services, service, 'service').ect ?? 'not-ect') : 'not-ect',
      );
  const ofLink = directions
    .flatMap(direction =>
      rowOf(link, direction).map(({ hop, link: own }) =>
        bottleneckObstacle(own, direction, fieldsAt(hop, direction), registries.aqms),
      ),
    )
    .find(reason => reason !== null);
  if (ofLink !== undefined) return ofLink;
  if (Object.values(link.paths).some(({ reorder }) => reorder !== null)) return 'its path reorders packets';
  const foreign = applications.find(({ name, service, kind }) => {
    const { controller } = boundOf(registries.services, service, 'service');
    return Object.hasOwn(media, name) ? controller === null || !controllers.has(controller.id) : kind !== 'baseline';
  });
  return foreign === undefined ? null : `${foreign.service.title} is a program of its own`;
}

/** Returns the last estimate of each bin, bit/s, from the states of the controller; null for a bin without one. */
function estimatesOf({ traces }: Recording, { originMs, bins }: { originMs: number; bins: number }): (number | null)[] {
  const estimates = new Array<number | null>(bins).fill(null);
  for (const { atMs, trace } of traces) {
    // a state at the end of a bin belongs to it
    const bin = Math.ceil((atMs - originMs) / binMs) - 1;
    if (bin >= 0 && bin < bins) estimates[bin] = estimateIn(trace) ?? null;
  }
  return estimates;
}

/** Returns the times in which an application sends, ms from the start of the window. */
const activeOf = ({ startMs, stopMs }: Application, windowMs: number) => ({
  fromMs: startMs ?? 0,
  toMs: stopMs ?? windowMs,
});

/**
 * Runs the condition in virtual time and returns its course. The condition must have no obstacle (`virtualObstacle`).
 * `seed`: seed of the sizes of frames and of random losses.
 */
export function virtualCourse(run: Run, { registries, controllers }: VirtualMeans, seed = 1): Course {
  const { condition, media, bitrate } = run;
  const { link, applications } = condition;
  const windowMs = condition.windowMs!;
  const leadMs = Math.max(0, ...applications.map(({ startMs }) => -(startMs ?? 0)));
  const events = new EventQueue();
  const window = { fromMs: leadMs, toMs: leadMs + windowMs };
  // packets from the clients meet the last bottleneck first
  const linksOf = (direction: Direction) => {
    const row = rowOf(link, direction).map(({ hop, link: own }) => ({
      hop,
      own: virtualBottleneck(own, direction, window, registries.aqms),
    }));
    return direction === 'up' ? row.reverse() : row;
  };
  const links = { down: linksOf('down'), up: linksOf('up') };
  const bins = { originMs: leadMs, binMs, bins: Math.ceil(windowMs / binMs) };
  // a flow is made when the run is over, from what its tap has counted
  const flows = applications.flatMap((application, k): (() => Flow)[] => {
    const { name, direction, service, pauses = [] } = application;
    const path = link.paths[name]!;
    const ownSeed = seed * 100 + k;
    const tapsIn = (of: Direction) =>
      links[of]
        .filter(({ hop }) => isCrossed(path, hop))
        .map(({ hop, own }) => {
          const tap = new Tap(own.link, bins);
          return { hop, link: own.link, tap, passes: own.around(tap, ownSeed + 10_000 * (hop - 1)) };
        });
    const places = tapsIn(direction);
    if (places.length === 0) return [];
    const { downMs, upMs, rttMs } = path;
    const backMs = rttMs === null ? upMs : rttMs - downMs;
    const wayOver = (of: ReturnType<typeof tapsIn>, afterMs: number) =>
      new Way(
        events,
        of.map(({ passes }) => passes),
        afterMs,
      );
    const way = wayOver(places, downMs);
    const active = activeOf(application, windowMs);
    const span = { fromMs: active.fromMs + leadMs, toMs: active.toMs + leadMs };
    const bound = boundOf(registries.services, service, 'service');
    const isMedia = Object.hasOwn(media, name);
    const recording = new Recording(places[0]!.link);
    if (isMedia) {
      const { controller } = bound;
      const plugin = controllers.get(controller!.id)!.bind(controller!.changed ?? {}, controller!.id);
      const opposite = tapsIn(direction === 'down' ? 'up' : 'down');
      const sender = new Sender(
        {
          controller: plugin.create(),
          feedback: plugin.feedback,
          ect: bound.ect ?? undefined,
          seed: ownSeed,
          constraints: bitrate!,
          returnMs: backMs,
          media: {
            ...(application.frameRate === undefined ? {} : { frameRate: application.frameRate }),
            pauses: pauses.map(({ fromMs, toMs }) => ({ fromMs: fromMs + leadMs, toMs: toMs + leadMs })),
          },
        },
        {
          events,
          link: way,
          ...(opposite.length === 0 ? {} : { back: wayOver(opposite, backMs) }),
        },
        recording,
      );
      events.at(span.fromMs, nowMs => sender.begin(nowMs));
      events.at(span.toMs, () => sender.end());
    } else if (bound.capBps === null) new RenoFlow(events, way, backMs, span);
    else startCross(events, way, { rateBps: bound.capBps, on: [span] });
    return places.map(({ hop, tap }) => () => ({
      name,
      hop,
      isMedia,
      direction,
      weight: media[name] ?? 1,
      demandBps: bound.capBps ?? Infinity,
      active: without({ fromMs: Math.max(0, active.fromMs), toMs: active.toMs }, pauses),
      bits: tap.bits,
      sentPackets: tap.sentPackets,
      droppedPackets: tap.droppedPackets,
      delayMs: tap.delayMs,
      estimateBps: estimatesOf(recording, bins),
    }));
  });
  events.runUntil(leadMs + windowMs);
  return {
    windowMs,
    binMs,
    flows: flows.map(flow => flow()),
    bottlenecks: courseBottlenecks(link),
  };
}
