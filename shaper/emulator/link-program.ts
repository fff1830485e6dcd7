/**
 * The program coexist-link (native/), started on a host. It takes requests as JSON lines and gives one answer to each.
 *
 * The program uses the far ends of two pairs of veth devices. The caller routes packets into the near ends. Every
 * answer has a deadline. If the program ends unexpectedly, `failed` and all pending requests reject.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../core/errors.ts';
import { checkTold, type z } from '../../core/schema/schema.ts';
import type { Host } from '../../core/system/host.ts';
import { JsonLinesChild } from '../../core/system/json-lines-child.ts';
import { printable } from '../../core/text/printable.ts';
import type { LossModel } from '../../core/vocabulary/link.ts';
import { type LinkCounters, type LinkReadiness, linkAnswers, linkReadiness, refusedAnswer } from './link-answers.ts';
import type { Direction, LinkBottleneck, LinkConfig } from './link-types.ts';
import { farEnd, PortPairs } from './port-pairs.ts';

export const linkProgram = fileURLToPath(new URL('./native/build/coexist-link', import.meta.url));

/** Longest time for an answer, ms; reading a long trace takes longest. */
const answerMs = 5000;
/** Largest number of characters of an answer. The counters of 1024 flows have about 200 000 characters. */
const answerChars = 1 << 20;
/** Largest number of characters of a refusal that a message includes. */
const mostWhyChars = 300;

type LinkOptions = {
  /** Names of the near ends that are created for both directions, at most 12 characters each. */
  down: string;
  up: string;
  /** Local file for the queue log (shaper/native/queue-log.h). The log is brought here after the program has ended. */
  log?: string;
  /** Priority of SCHED_FIFO, 1 to 99 (50 if left out); 0 for normal scheduling. */
  priority?: number;
};

type Request = keyof typeof linkAnswers;
type Answer<R extends Request> = z.output<(typeof linkAnswers)[R]>;

export class LinkProgram {
  /** Rejects when the program ends unexpectedly; never resolves. */
  readonly failed: Promise<never>;
  /** Scheduling and memory of the program: real-time priority, locked memory. */
  readonly readiness: LinkReadiness;
  /** Name of the program with the host's name, for messages. */
  readonly #name: string;
  readonly #ports: PortPairs;
  readonly #program: JsonLinesChild;

  private constructor(ports: PortPairs, program: JsonLinesChild, name: string, readiness: LinkReadiness) {
    this.#name = name;
    this.#ports = ports;
    this.#program = program;
    this.readiness = readiness;
    this.failed = program.failed;
  }

  /** Starts the program on a host. The devices exist and are up when this resolves. */
  static async start(host: Host, { down, up, log, priority }: LinkOptions): Promise<LinkProgram> {
    if (!existsSync(linkProgram)) {
      throw new CoexistError('missing-program', 'the native program coexist-link is not built', {
        hint: 'run "npm run setup"',
      });
    }
    const name = `coexist-link on ${host.name}`;
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
    const program = new JsonLinesChild(child, {
      name,
      code: 'link-died',
      onLine: () => {}, // the program prints only answers
      ended: ({ how, lastWords }) =>
        new CoexistError('link-died', `coexist-link ended ${how}${lastWords === '' ? '' : `: ${lastWords}`}`),
      maxChars: answerChars,
    });
    try {
      const told = await program.ready(`${name} to open its devices`, answerMs);
      return new LinkProgram(ports, program, name, checkTold(linkReadiness, told, `what ${name} tells`, 'link-died'));
    } catch (error) {
      await child.stop('SIGKILL').finally(() => ports.remove());
      const { status } = await child.ended;
      if (status !== 2) throw error;
      throw new CoexistError('missing-kernel-feature', child.lastWords, {
        hint: 'the link needs packet sockets with a ring (CONFIG_PACKET); "npm run doctor" tells more',
        cause: error,
      });
    }
  }

  /**
   * Sets a new link: empty, counters at zero, all generators at their start. Throws `link-refused` with the invalid
   * field; the old link then stays.
   */
  async set(config: LinkConfig): Promise<void> {
    await this.#ask('set', config);
  }

  /** Starts the schedule and the trace. Returns their start time on CLOCK_MONOTONIC, ns. */
  async start(): Promise<number> {
    return (await this.#ask('start', true)).timeNs;
  }

  /** Changes the rate of the bottleneck of a direction, bit/s. Waiting packets stay. */
  async rate(rateBps: number, direction: Direction = 'down'): Promise<void> {
    await this.#ask('rate', { rateBps, direction });
  }

  /** Changes the limits of the queue of a direction. Waiting packets stay, even above the limit. */
  async limit(
    limit: Pick<LinkBottleneck, 'limitPackets' | 'limitBytes' | 'limitUs'>,
    direction: Direction = 'down',
  ): Promise<void> {
    await this.#ask('limit', { ...limit, direction });
  }

  /** Changes the loss on every path towards the client. */
  async loss(loss: LossModel | null): Promise<void> {
    await this.#ask('loss', loss);
  }

  async read(): Promise<LinkCounters> {
    return (await this.#ask('read', true)).counters;
  }

  /** Ends the program and removes its devices. */
  async stop(): Promise<void> {
    await this.#program.child.stop();
    await this.#ports.remove();
  }

  async #ask<R extends Request>(request: R, value: unknown): Promise<Answer<R>> {
    const told = await this.#program.ask({ [request]: value }, `${this.#name} to answer "${request}"`, answerMs);
    return readLinkAnswer(this.#name, request, told);
  }
}

/**
 * Parses the answer to a request. `name`: the program with its host. Throws `link-refused` for a refusal, `link-died`
 * for anything that is not an answer to that request.
 */
export function readLinkAnswer<R extends Request>(name: string, request: R, told: unknown): Answer<R> {
  const refused = refusedAnswer.safeParse(told);
  if (refused.success) {
    const why = printable(refused.data.error.slice(0, mostWhyChars)).replaceAll('\n', ' ');
    throw new CoexistError('link-refused', `the link refused its configuration: ${why}`);
  }
  return checkTold(linkAnswers[request], told, `what ${name} answered to "${request}"`, 'link-died') as Answer<R>;
}
