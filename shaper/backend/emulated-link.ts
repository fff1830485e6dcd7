/** A link that the native program forms in virtual time: rate, queue, AQM, delay and loss, without any queue discipline. */
import { CoexistError } from '../../core/errors.ts';
import type { Link } from '../../core/link.ts';
import type { LinkAqm } from '../native-link/link-types.ts';
import { emulatorConfiguration, emulatorLimits } from '../line/configuration.ts';
import { checkPassed, Hairpin } from '../line/hairpin.ts';
import type { Topology } from '../topology/dumbbell.ts';
import type { LinkBackend, LinkCounters, QueueLogEnd } from './backend.ts';
import { clearKernelLink } from './kernel-link.ts';

export class EmulatedLink implements LinkBackend {
  readonly id = 'emulator';
  readonly failed: Promise<never>;
  readonly #topology: Topology;
  readonly #hairpin: Hairpin;
  #link: Link;
  readonly #aqm: LinkAqm;
  readonly #seed: number;

  private constructor(topology: Topology, hairpin: Hairpin, link: Link, aqm: LinkAqm, seed: number) {
    this.#topology = topology;
    this.#hairpin = hairpin;
    this.#link = link;
    this.#aqm = aqm;
    this.#seed = seed;
    this.failed = hairpin.program.failed;
  }

  static async form(topology: Topology, link: Link, aqm: LinkAqm, seed: number, options: { log?: string | undefined } = {}): Promise<EmulatedLink> {
    await clearKernelLink(topology);
    return new EmulatedLink(topology, await Hairpin.start(topology, options), link, aqm, seed);
  }

  async setWays(ways: Link['ways']): Promise<void> {
    await this.#hairpin.set(emulatorConfiguration(this.#link, ways, this.#aqm, this.#topology.left, this.#seed));
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
    await clearKernelLink(this.#topology);
  }
}
