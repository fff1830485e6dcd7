/**
 * The program coexist-link (shaper/native/link): started on a host, asked by JSON lines, one answer to each.
 *
 * It gets two pairs of veth devices: packets are led into the near ends, which is the caller's part, and the program
 * has the far ends. Every answer has a deadline. A program that ends before it was asked to rejects `failed` and every
 * answer that is waited for.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/host.ts';
import { JsonLinesChild } from '../../core/json-lines-child.ts';
import type { LossModel } from '../../core/link.ts';
import type { Direction, LinkBottleneck, LinkConfig, LinkCounters, LinkReadiness } from './link-types.ts';
import { farEnd, PortPairs } from './port-pairs.ts';

export const linkProgram = fileURLToPath(new URL('../native/build/coexist-link', import.meta.url));

/** Time for an answer; reading a long trace takes longest. */
const answerMs = 5000;
/** The longest answer: the counters of 1024 flows are about 200 000 characters. */
const answerChars = 1 << 20;

type LinkOptions = {
  /** Names of the near ends that are made, at most 12 characters each. */
  down: string;
  up: string;
  /** What is to become the file of the queue log (shaper/native/queue-log.h), to be brought once the program has ended. */
  log?: string;
  /** Priority of SCHED_FIFO, 1 to 99 (50 if left out); 0 for normal scheduling. */
  priority?: number;
};

type Answer = Record<string, unknown>;

export class LinkProgram {
  /** Rejects when the program ends and was not asked to; never resolves. */
  readonly failed: Promise<never>;
  /** Whether it runs at real-time priority, in locked memory. */
  readonly readiness: LinkReadiness;
  readonly #ports: PortPairs;
  readonly #program: JsonLinesChild<Answer>;

  private constructor(ports: PortPairs, program: JsonLinesChild<Answer>, readiness: LinkReadiness) {
    this.#ports = ports;
    this.#program = program;
    this.readiness = readiness;
    this.failed = program.failed;
  }

  /** Starts it on a host; the devices are there and up when this resolves. */
  static async start(host: Host, { down, up, log, priority }: LinkOptions): Promise<LinkProgram> {
    if (!existsSync(linkProgram)) {
      throw new CoexistError('missing-program', 'the native program coexist-link is not built', {
        hint: 'run "npm run setup"',
      });
    }
    const path = await host.give(linkProgram);
    const ports = await PortPairs.make(host, [down, up]);
    const child = host.start(
      'coexist-link',
      [
        path,
        '--down',
        farEnd(down),
        '--up',
        farEnd(up),
        ...(log === undefined ? [] : ['--log', host.placeOf(log)]),
        ...(priority === undefined ? [] : ['--priority', String(priority)]),
      ],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    );
    const program = new JsonLinesChild<Answer>(child, {
      code: 'link-died',
      onLine: () => {}, // it prints nothing but answers
      ended: ({ how, lastWords }) =>
        new CoexistError('link-died', `coexist-link ended ${how}${lastWords === '' ? '' : `: ${lastWords}`}`),
      maxChars: answerChars,
    });
    try {
      const { scheduling, memory } = (await program.ready('coexist-link to open its devices', answerMs)) as {
        scheduling: LinkReadiness['scheduling'];
        memory: LinkReadiness['memory'];
      };
      return new LinkProgram(ports, program, { scheduling, memory });
    } catch (error) {
      await ports.remove();
      const { status } = await child.ended;
      if (status !== 2) throw error;
      throw new CoexistError('missing-kernel-feature', child.lastWords, {
        hint: 'the link needs packet sockets with a ring (CONFIG_PACKET); "npm run doctor" tells more',
        cause: error,
      });
    }
  }

  /**
   * A new link: empty, with counters at zero and all generators at their start. Throws `link-refused`, naming the
   * field; then the old one stays.
   */
  async set(config: LinkConfig): Promise<void> {
    await this.#ask({ set: config }, 'set');
  }

  /** Schedule and trace begin now. Returns that moment on CLOCK_MONOTONIC, ns. */
  async start(): Promise<number> {
    return (await this.#ask({ start: true }, 'started'))['timeNs'] as number;
  }

  /** Another rate of a direction's bottleneck from now on, bit/s; nothing is flushed. */
  async rate(rateBps: number, direction: Direction = 'down'): Promise<void> {
    await this.#ask({ rate: { rateBps, direction } }, 'rate');
  }

  /** Other limits of a direction's queue from now on; what waits stays, also where it is more. */
  async limit(
    limit: Pick<LinkBottleneck, 'limitPackets' | 'limitBytes' | 'limitUs'>,
    direction: Direction = 'down',
  ): Promise<void> {
    await this.#ask({ limit: { ...limit, direction } }, 'limit');
  }

  /** Another loss on every path towards the client from now on. */
  async loss(loss: LossModel | null): Promise<void> {
    await this.#ask({ loss }, 'loss');
  }

  async read(): Promise<LinkCounters> {
    return (await this.#ask({ read: true }, 'counters'))['counters'] as LinkCounters;
  }

  /** Ends it and removes the devices. */
  async stop(): Promise<void> {
    await this.#program.child.stop();
    await this.#ports.remove();
  }

  async #ask(request: object, expected: string): Promise<Answer> {
    const [name] = Object.keys(request);
    const told = await this.#program.ask(request, `coexist-link to answer "${name}"`, answerMs);
    if (typeof told['error'] === 'string')
      throw new CoexistError('link-refused', `the link refused its configuration: ${told['error']}`);
    if (told[expected] === undefined)
      throw new CoexistError('link-died', `coexist-link answered "${name}" with ${JSON.stringify(told).slice(0, 200)}`);
    return told;
  }
}
