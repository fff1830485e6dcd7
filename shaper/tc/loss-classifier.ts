/**
 * Random loss of one direction of a link by the classifier. The classifier is at the queue's device before the queue,
 * or after the queue at the places where its packets arrive.
 */
import { isDeepStrictEqual } from 'node:util';
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';
import type { LossModel } from '../../core/vocabulary/link.ts';
import type { Topology } from '../topology/topology.ts';
import { qdiscsOf } from './json.ts';
import { attachLoss, type FlowCounters, type LossPlace, readLoss } from './loss.ts';
import { upDevice } from './up-device.ts';

type Place = { host: Host; device: string; hook: LossPlace };

/**
 * Places of the classifiers before and after the queue. After the queue packets may arrive at several places, but those
 * of one sender, receiver and protocol arrive at the same place.
 */
export type LossPlaces = Readonly<Record<LossModel['where'], readonly Place[]>>;

/** Returns the places at which packets from the router arrive first. Hosts behind another router share one. */
function arrivals(left: Topology['left']): { host: Host; device: string }[] {
  const all = left.map(({ host, ownDevice, arrival = { host, device: ownDevice } }) => arrival);
  return all.filter(({ host, device }, k) => all.findIndex(one => one.host === host && one.device === device) === k);
}

export function lossPlaces({
  router,
  bottleneckDevice,
  behindBottleneck,
  left,
}: Pick<Topology, 'router' | 'bottleneckDevice' | 'behindBottleneck' | 'left'>): { down: LossPlaces; up: LossPlaces } {
  return {
    down: {
      before: [{ host: router, device: bottleneckDevice, hook: 'egress' }],
      after: [{ ...behindBottleneck, hook: 'ingress' }],
    },
    up: {
      before: [{ host: router, device: upDevice, hook: 'egress' }],
      after: arrivals(left).map(place => ({ ...place, hook: 'ingress' })),
    },
  };
}

type Attached = Place & { mapId: number };

export class LossClassifier {
  readonly #places: LossPlaces;
  #set: { loss: LossModel; attached: readonly Attached[] } | undefined;
  /**
   * Settles after the present reading or change. Readings and changes run one after another, because a change replaces
   * the counters.
   */
  #turn: Promise<unknown> = Promise.resolve();

  /** `places`: must have no classifiers of earlier links (see `clear`). */
  constructor(places: LossPlaces) {
    this.#places = places;
  }

  async set(loss: LossModel | null, seed: number): Promise<void> {
    if (loss !== null) this.#set = await this.#attach(loss, seed);
  }

  /** Changes the loss, with a new seed and counters at zero. Other settings of the devices stay. */
  change(loss: LossModel | null, seed: number): Promise<void> {
    return this.#inTurn(() => this.#change(loss, seed));
  }

  async #change(loss: LossModel | null, seed: number): Promise<void> {
    const before = this.#set;
    if (isDeepStrictEqual(loss, before?.loss ?? null)) return;
    this.#set = loss === null ? undefined : await this.#attach(loss, seed);
    if (before === undefined || before.loss.where === this.#set?.loss.where) return;
    await Promise.all(
      before.attached.map(({ host, device, hook }) =>
        host.run(['tc', 'filter', 'del', 'dev', device, hook, 'pref', '1'], { code: 'link-refused' }),
      ),
    );
  }

  /** Removes the classifiers of any link, with everything else on the clsact hooks of the places. */
  async clear(): Promise<void> {
    await Promise.all(
      Object.values(this.#places)
        .flat()
        .map(async ({ host, device }) => {
          const present = await qdiscsOf(host, device);
          if (present.some(q => q.kind === 'clsact')) await host.run(['tc', 'qdisc', 'del', 'dev', device, 'clsact']);
        }),
    );
    this.#set = undefined;
  }

  async #attach(loss: LossModel, seed: number) {
    const attached = await Promise.all(
      this.#places[loss.where].map(async place => ({
        ...place,
        mapId: await attachLoss(place.host, place.device, place.hook, loss, seed),
      })),
    );
    return { loss, attached };
  }

  /** Returns the counters since the last change; empty without loss. */
  read(): Promise<FlowCounters[]> {
    return this.#inTurn(async () =>
      (await Promise.all((this.#set?.attached ?? []).map(({ host, mapId }) => readLoss(host, mapId)))).flat(),
    );
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Throws `link-refused` if an expected classifier is missing, or if a place has an unexpected one. */
  async verify(): Promise<void> {
    await Promise.all(
      (['before', 'after'] as const).flatMap(where =>
        this.#places[where].map(async ({ host, device, hook }) => {
          const { stdout } = await host.run(['tc', 'filter', 'show', 'dev', device, hook], { allowFailure: true });
          const asked = this.#set?.loss.where === where;
          if (stdout.includes('loss') !== asked)
            throw new CoexistError(
              'link-refused',
              `the link is not what was asked for: ${asked ? 'the loss classifier is missing' : 'a loss classifier is attached'}`,
            );
        }),
      ),
    );
  }
}
