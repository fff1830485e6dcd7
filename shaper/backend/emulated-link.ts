/** A link that the native program forms in virtual time: rate, queue, AQM, delay and loss, without any queue discipline. */
import { CoexistError } from '../../core/errors.ts';
import type { Link } from '../../core/link.ts';
import type { LinkAqm } from '../native-link/link-types.ts';
import { emulatorConfiguration, emulatorLimits } from '../line/configuration.ts';
import { checkPassed, Hairpin } from '../line/hairpin.ts';
import type { Dumbbell } from '../topology/dumbbell.ts';
import type { LinkBackend, LinkCounters, QueueLogEnd } from './backend.ts';
import { clearKernelLink } from './kernel-link.ts';

export class EmulatedLink implements LinkBackend {
  readonly id = 'emulator';
  readonly failed: Promise<never>;
  readonly #dumbbell: Dumbbell;
  readonly #hairpin: Hairpin;
  #link: Link;
  readonly #aqm: LinkAqm;
  readonly #seed: number;

  private constructor(dumbbell: Dumbbell, hairpin: Hairpin, link: Link, aqm: LinkAqm, seed: number) {
    this.#dumbbell = dumbbell;
    this.#hairpin = hairpin;
    this.#link = link;
    this.#aqm = aqm;
    this.#seed = seed;
    this.failed = hairpin.program.failed;
  }

  static async form(dumbbell: Dumbbell, link: Link, aqm: LinkAqm, seed: number, options: { log?: string | undefined } = {}): Promise<EmulatedLink> {
    await clearKernelLink(dumbbell);
    return new EmulatedLink(dumbbell, await Hairpin.start(dumbbell.router, options), link, aqm, seed);
  }

  async setWays(ways: Link['ways']): Promise<void> {
    const { left } = this.#dumbbell;
    await this.#hairpin.set(emulatorConfiguration(this.#link, ways, this.#aqm, left, this.#seed), left);
  }

  async start(): Promise<void> {
    await this.#hairpin.program.start();
  }

  async change(link: Link): Promise<void> {
    const { program } = this.#hairpin;
    await program.rate(link.rateBps);
    await program.limit(emulatorLimits(link));
    await program.loss(link.loss);
    this.#link = link;
  }

  async verify(): Promise<void> {
    const { bottleneck } = await this.#hairpin.program.read();
    if (bottleneck === null) throw new CoexistError('link-refused', 'the link is not what was asked for: the emulator has no bottleneck');
  }

  async counters(): Promise<LinkCounters> {
    const { bottleneck, flows, ...rest } = await this.#hairpin.program.read();
    checkPassed(rest);
    return {
      sentBytes: bottleneck!.sentBytes, sentPackets: bottleneck!.sentPackets, droppedPackets: bottleneck!.overflowPackets + bottleneck!.aqmDroppedPackets,
      markedPackets: bottleneck!.markedPackets, backlogBytes: bottleneck!.backlogBytes, backlogPackets: bottleneck!.backlogPackets, loss: flows,
    };
  }

  async endLog(): Promise<QueueLogEnd | null> {
    const { log } = await this.#hairpin.program.read();
    await this.#hairpin.stop(); // what it holds of the log goes to the file when it ends
    return log;
  }

  async clear(): Promise<void> {
    await this.#hairpin.stop();
    await clearKernelLink(this.#dumbbell);
  }
}
