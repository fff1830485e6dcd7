/** One of the two namespaces of a shell, as a host: its TUN device, which the program reads, and its end of a pair. */
import { CoexistError } from '../../core/errors.ts';
import { z } from '../../core/schema/schema.ts';
import type { Host } from '../../core/system/host.ts';
import { readPrintedJson } from '../../core/system/printed-json.ts';
import type { CaptureHost } from '../recording/capture.ts';

const count = z.int().min(0);
const links = z.array(
  z.looseObject({
    ifname: z.string(),
    link_type: z.string(),
    stats64: z.looseObject({ tx: z.looseObject({ dropped: count }) }),
  }),
);

export class Namespace implements CaptureHost {
  readonly name: string;
  /** The device whose packets the program reads, and into which it writes. */
  readonly tun: string;
  /** Device at the end of the pair whose other end is the router's. */
  readonly toRouter: string;
  readonly #router: Host;
  readonly #words: readonly string[];

  private constructor(router: Host, pid: number, tun: string, toRouter: string) {
    this.name = router.name;
    this.tun = tun;
    this.toRouter = toRouter;
    this.#router = router;
    this.#words = wordsOf(pid);
  }

  /** Returns the namespace of the process `pid`. */
  static async enter(router: Host, pid: number, toRouter: string): Promise<Namespace> {
    const found = (await linksOf(argv => router.run([...wordsOf(pid), ...argv]))).find(one => one.link_type === 'none');
    if (found === undefined)
      throw new CoexistError('link-refused', 'a shell of mahimahi has made no TUN device in its namespace');
    return new Namespace(router, pid, found.ifname, toRouter);
  }

  run(...[argv, options]: Parameters<Host['run']>): ReturnType<Host['run']> {
    return this.#router.run([...this.#words, ...argv], options);
  }

  start(...[name, argv, options]: Parameters<Host['start']>): ReturnType<Host['start']> {
    return this.#router.start(name, [...this.#words, ...argv], options);
  }

  give(file: string): Promise<string> {
    return this.#router.give(file);
  }

  placeOf(file: string): string {
    return this.#router.placeOf(file);
  }

  bring(file: string): Promise<void> {
    return this.#router.bring(file);
  }

  /** Returns the number of packets that the TUN device dropped because the program did not read them in time. */
  async unreadPackets(): Promise<number> {
    const { tun } = this;
    return (await linksOf(argv => this.run(argv))).find(({ ifname }) => ifname === tun)?.stats64.tx.dropped ?? 0;
  }
}

const wordsOf = (pid: number) => ['nsenter', `--net=/proc/${pid}/ns/net`, '--'];

async function linksOf(run: (argv: string[]) => ReturnType<Host['run']>): Promise<z.output<typeof links>> {
  const argv = ['ip', '-s', '-j', 'link', 'show'];
  return readPrintedJson(argv.join(' '), (await run(argv)).stdout, links);
}
