/**
 * Runs the program coexist-http3 (http3-server/). The program terminates HTTP/3 and forwards each request to the same
 * port of another address. Once a second it reports the state of each connection. An optional step of set-up builds it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CoexistError } from '../../../core/errors.ts';
import { z } from '../../../core/schema/schema.ts';
import { nowMs } from '../../../core/system/clock.ts';
import { run } from '../../../core/system/command.ts';
import type { Host } from '../../../core/system/host.ts';
import { cacheFolder } from '../../../core/system/paths.ts';
import { readToldJson } from '../../../core/system/printed-json.ts';
import { ServerProgram } from './server-program.ts';

/** Path of the program that set-up builds (harness/setup/setup.mjs). */
export const http3Program = join(cacheFolder, 'http3/release/coexist-http3');

/** Names of congestion controls in noq, the QUIC library of the program. */
export const quicControls = ['bbr3', 'cubic', 'newreno'] as const;

type Http3Options = {
  listen: string;
  firstPort: number;
  ports: number;
  to: string;
  congestionControl: string;
  /** Private key and certificate, as PEM texts. */
  key: string;
  cert: string;
};

const count = z.int().min(0);
const port = z.int().min(1).max(65535);

const connection = z.strictObject({
  port,
  peerPort: port,
  congestionControl: z.string(),
  congestionWindowBytes: count,
  rttMs: z.number().min(0),
  sentBytes: count,
  sentPackets: count,
  lostPackets: count,
  lostBytes: count,
  congestionEvents: count,
});
const account = z.strictObject({ connections: z.array(connection) });

/**
 * An open connection. `port`: port at the server. Counters start with the connection. `sentBytes`: payload of the UDP
 * datagrams.
 */
export type QuicConnection = z.output<typeof connection>;

/** Longest time without a report, ms. The program reports once a second. */
const silentMs = 10_000;

/**
 * Returns the version that the program reports. Throws `missing-program` if the program is not built or does not run.
 */
export async function http3Version(program = http3Program): Promise<string> {
  const missing = (how: string) =>
    new CoexistError('missing-program', `the HTTP/3 server ${how}`, {
      hint: 'run "npm run setup -- http3", which builds it with Rust\'s cargo',
    });
  if (!existsSync(program)) throw missing('is not built');
  const { status, stdout } = await run([program, '--version'], { allowFailure: true }).catch(() => ({
    status: null,
    stdout: '',
  }));
  if (status !== 0 || !stdout.startsWith('coexist-http3 ')) throw missing('does not run');
  return stdout.trim();
}

export class Http3Program {
  readonly failed: Promise<never>;
  readonly #server: ServerProgram;
  readonly #last: { line: string; timeMs: number };

  private constructor(server: ServerProgram, last: { line: string; timeMs: number }) {
    this.#server = server;
    this.#last = last;
    this.failed = server.failed;
  }

  /** Starts the program. `name`: name of the program for people, such as "the video's HTTP/3 server". */
  static async start(
    host: Host,
    name: string,
    { listen, firstPort, ports, to, congestionControl, key, cert }: Http3Options,
  ): Promise<Http3Program> {
    const child = host.start(
      name,
      [
        http3Program,
        '--listen',
        listen,
        '--first-port',
        String(firstPort),
        '--ports',
        String(ports),
        '--to',
        to,
        '--congestion',
        congestionControl,
      ],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    );
    child.process.stdin!.on('error', () => {}); // the program's end is reported
    child.process.stdin!.write(`${key}${cert}`);
    const last = { line: '{"connections":[]}', timeMs: nowMs() };
    return new Http3Program(
      await ServerProgram.of(child, line => Object.assign(last, { line, timeMs: nowMs() })),
      last,
    );
  }

  /**
   * Returns the open connections of the program's last report. Throws `service-failed` if the program has not reported
   * for too long, or if its report cannot be read.
   */
  connections(): QuicConnection[] {
    const { line, timeMs } = this.#last;
    if (nowMs() - timeMs > silentMs)
      throw new CoexistError(
        'service-failed',
        `the HTTP/3 server has not reported its connections for ${silentMs / 1000} s`,
      );
    return readAccount(line);
  }

  async close(): Promise<void> {
    await this.#server.close();
  }
}

const readAccount = (line: string): QuicConnection[] =>
  readToldJson('the HTTP/3 server', line, account, 'service-failed').connections;
