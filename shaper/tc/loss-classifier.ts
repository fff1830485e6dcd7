/** Random loss of a link by the classifier: at the router's device before the queue, or where everything arrives after it. */
import { isDeepStrictEqual } from 'node:util';
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/host.ts';
import type { LossModel } from '../../core/link.ts';
import type { Topology } from '../topology/dumbbell.ts';
import { bottleneckDevice } from '../topology/legs.ts';
import { tcJson } from './json.ts';
import type { QdiscJson } from './json.ts';
import { attachLoss, readLoss } from './loss.ts';
import type { FlowCounters, LossPlace } from './loss.ts';

type Place = { host: Host; device: string; hook: LossPlace };

export class LossClassifier {
  readonly #places: Readonly<Record<LossModel['where'], Place>>;
  #set: { loss: LossModel; place: Place; mapId: number } | undefined;
  /** Reading and changing take turns: counters that were replaced are gone. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ router, behindBottleneck }: Pick<Topology, 'router' | 'behindBottleneck'>) {
    this.#places = {
      before: { host: router, device: bottleneckDevice, hook: 'egress' },
      after: { ...behindBottleneck, hook: 'ingress' },
    };
  }

  async set(loss: LossModel | null, seed: number): Promise<void> {
    await this.clear();
    if (loss === null) return;
    this.#set = await this.#attach(loss, seed);
  }

  /** Other losses from now on, seeded and counted anew; what else hangs on the devices stays. */
  change(loss: LossModel | null, seed: number): Promise<void> {
    return this.#inTurn(() => this.#change(loss, seed));
  }

  async #change(loss: LossModel | null, seed: number): Promise<void> {
    const before = this.#set;
    if (isDeepStrictEqual(loss, before?.loss ?? null)) return;
    this.#set = loss === null ? undefined : await this.#attach(loss, seed);
    if (before === undefined || before.place === this.#set?.place) return;
    const { host, device, hook } = before.place;
    await host.run(['tc', 'filter', 'del', 'dev', device, hook, 'pref', '1'], { code: 'link-refused' });
  }

  async clear(): Promise<void> {
    for (const { host, device } of Object.values(this.#places)) {
      const present = await tcJson<QdiscJson>(host, ['qdisc', 'show', 'dev', device]);
      if (present.some(q => q.kind === 'clsact')) await host.run(['tc', 'qdisc', 'del', 'dev', device, 'clsact']);
    }
    this.#set = undefined;
  }

  async #attach(loss: LossModel, seed: number) {
    const place = this.#places[loss.where];
    return { loss, place, mapId: await attachLoss(place.host, place.device, place.hook, loss, seed) };
  }

  /** What it counted since it was set; empty without loss. */
  read(): Promise<FlowCounters[]> {
    return this.#inTurn(async () => (this.#set === undefined ? [] : readLoss(this.#set.place.host, this.#set.mapId)));
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Throws `link-refused` where a classifier is missing, or there is one that nobody asked for. */
  async verify(): Promise<void> {
    for (const place of Object.values(this.#places)) {
      const { stdout } = await place.host.run(['tc', 'filter', 'show', 'dev', place.device, place.hook], { allowFailure: true });
      const asked = this.#set?.place === place;
      if (stdout.includes('loss') !== asked) throw new CoexistError('link-refused', `the link is not what was asked for: ${asked ? 'the loss classifier is missing' : 'a loss classifier is attached'}`);
    }
  }
}
