/** The QUIC tunnel: carries UDP packets inside QUIC (README.md). */
import { join } from 'node:path';
import { CoexistError } from '../../../core/errors.ts';
import { selfSigned } from '../../../core/system/self-signed.ts';
import type { RunningTunnel, TunnelPlace, TunnelPlugin } from '../tunnel.ts';
import { TunnelEnd } from './end.ts';
import { type Params, paramsSchema } from './params.ts';
import { type TunnelCaps, tunnelCaps, tunnelPrograms } from './programs.ts';

/** UDP port of the server's end. The client's end uses any port. */
const quicPort = 4433;
/** Interval of the reports of each end, ms. */
const reportMs = 200;

const labels: Record<Params['congestionControl'], string> = {
  newreno: 'NewReno',
  cubic: 'CUBIC',
  copa: 'Copa',
  c4: 'C4',
  bbr3: 'BBRv3, as shipped',
  'bbr3-paced': 'BBRv3, paced',
  none: 'no congestion control',
};

/** Returns the command line of an end: the program and its arguments. */
export function endWords(
  side: 'server' | 'client',
  { server, served, directory }: Pick<TunnelPlace, 'server' | 'served' | 'directory'>,
  { mode, congestionControl, copaDelta, stack, sendBuffer, qlog }: Params,
): string[] {
  return [
    tunnelPrograms[stack],
    side,
    '--quic',
    `${server.address}:${quicPort}`,
    '--udp',
    `${served.address}:${served.port}`,
    '--mode',
    mode,
    '--congestion',
    congestionControl,
    '--send-buffer-bytes',
    String(Math.round(sendBuffer)),
    '--report-ms',
    String(reportMs),
    ...(congestionControl === 'copa' ? ['--copa-delta', String(copaDelta)] : []),
    ...(qlog ? ['--qlog', join(directory, 'qlog')] : []),
  ];
}

/** Throws `bad-definition` if the program of the stack cannot do what the parameters request. */
export function requireCan(
  { stack, modes, congestionControls, qlog: canLog }: TunnelCaps,
  { mode, congestionControl, qlog }: Params,
): void {
  const refuse = (what: string, value: string, known: readonly string[]) =>
    new CoexistError('bad-definition', `tunnel: the ${what} "${value}" is not available with the stack ${stack}`, {
      hint: `${stack} has: ${known.join(', ')}`,
    });
  if (!modes.includes(mode)) throw refuse('mode', mode, modes);
  if (!congestionControls.includes(congestionControl))
    throw refuse('congestion control', congestionControl, congestionControls);
  if (qlog && !canLog)
    throw new CoexistError('bad-definition', `tunnel: the stack ${stack} writes no qlog`, {
      hint: 'leave out tunnel.qlog',
    });
}

class QuicTunnel implements RunningTunnel {
  readonly failed: Promise<never>;
  readonly #ends: { server: TunnelEnd; client: TunnelEnd };
  readonly #caps: TunnelCaps;

  private constructor(ends: { server: TunnelEnd; client: TunnelEnd }, caps: TunnelCaps) {
    this.#ends = ends;
    this.#caps = caps;
    this.failed = Promise.race([ends.server.failed, ends.client.failed]);
    this.failed.catch(() => {});
  }

  static async open(place: TunnelPlace, params: Params): Promise<QuicTunnel> {
    const { server, client, onReport } = place;
    const caps = await tunnelCaps(params.stack);
    requireCan(caps, params);
    const { key, cert } = selfSigned(server.address);
    const start = (side: 'server' | 'client', identity: string) =>
      TunnelEnd.start({
        side,
        host: { server, client }[side].host,
        argv: endWords(side, place, params),
        identity,
        onReport,
      });
    const near = await start('server', `${key}${cert}`);
    try {
      return new QuicTunnel({ server: near, client: await start('client', cert) }, caps);
    } catch (error) {
      await near.stop();
      throw error;
    }
  }

  describe(): Record<string, unknown> {
    const { server, client } = this.#ends;
    const told = (end: TunnelEnd) => (end.last === null ? null : { ...end.last });
    return {
      program: `${this.#caps.program} ${this.#caps.version}`,
      stack: `${this.#caps.stack} ${this.#caps.stackVersion}`,
      processIds: { server: server.pid ?? null, client: client.pid ?? null },
      last: { server: told(server), client: told(client) },
    };
  }

  async stop(): Promise<void> {
    const { server, client } = this.#ends;
    server.release(); // it ends when the client's end does
    await client.stop();
    await server.stop();
  }
}

export const plugin: TunnelPlugin<Params> = {
  id: 'quic',
  title: 'QUIC tunnel',
  source:
    "Baldassin, Urvoy-Keller and Lopez Pacheco, Sur l'interaction entre les algorithmes de congestion de WebRTC et QUIC, section 2",
  params: paramsSchema,
  port: quicPort,
  describe: ({ mode, congestionControl, stack }) =>
    `QUIC ${mode === 'datagram' ? 'datagrams' : 'streams'}, ${labels[congestionControl]} (${stack})`,
  async check(params) {
    requireCan(await tunnelCaps(params.stack), params);
  },
  open: (place, params) => QuicTunnel.open(place, params),
};
