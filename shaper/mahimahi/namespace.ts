/** A network namespace of a shell, as a host: it has an end of a TUN device, which the program reads and writes. */
import { CoexistError } from '../../core/errors.ts';
import type { z } from '../../core/schema/schema.ts';
import type { Host } from '../../core/system/host.ts';
import { ipLinks, readIpJson } from '../../core/system/ip-json.ts';
import type { CaptureHost } from '../recording/capture.ts';

type Device = z.output<typeof ipLinks>[number];

export class Namespace implements CaptureHost {
  readonly name: string;
  readonly #router: Host;
  readonly #words: readonly string[];

  /** The namespace of the process `pid`, which the programs of `router` can enter. */
  constructor(router: Host, pid: number) {
    this.name = router.name;
    this.#router = router;
    this.#words = ['nsenter', `--net=/proc/${pid}/ns/net`, '--'];
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

  /** Returns the namespace's TUN devices, which have no link layer. */
  async tuns(): Promise<Device[]> {
    const { stdout } = await this.run(['ip', '-s', '-j', 'link', 'show']);
    return readIpJson(stdout, ipLinks).filter(({ link_type }) => link_type === 'none');
  }

  /** Returns the counters of the TUN device `name`. Throws `link-died` if it is gone. */
  async counters(name: string): Promise<NonNullable<Device['stats64']>> {
    const found = (await this.tuns()).find(({ ifname }) => ifname === name)?.stats64;
    if (found === undefined) throw new CoexistError('link-died', `the device ${name} of a shell of mahimahi is gone`);
    return found;
  }
}
