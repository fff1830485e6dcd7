/**
 * Sets the ECN field and the DSCP of packets that leave a host (shaper/native/marker.bpf.c). Node's sockets cannot set
 * the type of service, and a kernel without L4S sends no TCP with ECT(1).
 */
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../core/errors.ts';
import { z } from '../../core/schema/schema.ts';
import type { Host } from '../../core/system/host.ts';
import { ipRoutes, readIpJson } from '../../core/system/ip-json.ts';
import { localHost } from '../../core/system/local-host.ts';
import { type EcnField, ecnFields } from '../../core/vocabulary/ecn.ts';
import { checkProgram } from './check-program.ts';
import { HeldProgram } from './held-program.ts';

const build = new URL('../native/build/', import.meta.url);
const markerLoader = fileURLToPath(new URL('coexist-marker', build));
const markerObject = fileURLToPath(new URL('marker.bpf.o', build));

/** Packets that a marker changes, and what it changes. */
export type MarkRule = {
  /** IP protocol number; null: all packets. */
  protocol: number | null;
  /** Port of either end; null: all ports. */
  port: number | null;
  /** True: only RTP packets, without RTCP, STUN and DTLS on the same port. */
  onlyRtp?: boolean;
  /** New ECN field of packets with the field `from`. */
  ecn?: { from: EcnField; to: EcnField };
  /** New DSCP, 0 to 63. */
  dscp?: number;
};

const endLine = z.object({ changed: z.int().min(0) });

const needs = {
  hint: 'ECN and DSCP marks need root and a kernel with BPF classifiers, not in lockdown; build the helper with "npm run setup"',
};

/** Throws `missing-kernel-feature` if this machine cannot run a marker. */
export function checkMarker(host: Host = localHost): Promise<void> {
  return checkProgram(
    host,
    markerLoader,
    markerObject,
    reason => new CoexistError('missing-kernel-feature', `packets cannot be marked here: ${reason}`, needs),
  );
}

/** Returns the words of the program for a rule. */
function words({ protocol, port, onlyRtp = false, ecn, dscp }: MarkRule): string[] {
  const field = (name: EcnField) => ecnFields.indexOf(name);
  return [
    protocol ?? 0,
    port ?? 0,
    onlyRtp ? 'rtp' : 'all',
    ecn === undefined ? 0 : field(ecn.from),
    ecn === undefined ? 'keep' : field(ecn.to),
    dscp ?? 'keep',
  ].map(String);
}

export class Marker {
  /** Rejects if the program ends before `stop`. */
  readonly failed: Promise<never>;
  readonly #program: HeldProgram;

  private constructor(program: HeldProgram) {
    this.#program = program;
    this.failed = program.failed;
  }

  /**
   * Starts to change packets that leave `host` by the device on the way to `address`. Throws `missing-kernel-feature` if
   * the host cannot do that.
   */
  static async start(host: Host, address: string, rule: MarkRule): Promise<Marker> {
    const { stdout } = await host.run(['ip', '-j', 'route', 'get', address]);
    const device = readIpJson(stdout, ipRoutes)[0]?.dev;
    if (device === undefined) throw new CoexistError('link-refused', `${host.name} has no route to ${address}`);
    const [loader, object] = [await host.give(markerLoader), await host.give(markerObject)];
    return new Marker(
      await HeldProgram.start(host, {
        name: 'marker',
        argv: [loader, 'run', object, device, ...words(rule)],
        refusal: reason =>
          new CoexistError('missing-kernel-feature', `packets of ${host.name} cannot be marked: ${reason}`, needs),
      }),
    );
  }

  /** Ends the marker. Returns the number of packets that it changed; null if it had ended before. */
  async stop(): Promise<number | null> {
    const end = endLine.safeParse(await this.#program.stop());
    return end.success ? end.data.changed : null;
  }
}
