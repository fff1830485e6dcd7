/** The QUIC tunnel's programs over this machine's loopback, between sockets that stand for a server and a browser. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { until, within } from '../../../core/system/deadline.ts';
import { selfSigned } from '../../../core/system/self-signed.ts';
import { type TunnelStack, tunnelPrograms } from '../../../harness/tunnels/quic/programs.ts';

export const { key, cert } = selfSigned('127.0.0.1');
export const waitMs = 10_000;
export const silenceMs = 1000;
type Report = Record<string, number | string>;

/** An end, as the harness will start it. */
export class End {
  readonly child: ChildProcess;
  readonly reports: Report[] = [];
  readonly ended: Promise<number | null>;
  said = '';
  #listens = false;

  constructor(stack: TunnelStack, words: string, identity: string | Buffer) {
    this.child = spawn(tunnelPrograms[stack], words.split(' '));
    this.child.stdin!.on('error', () => {}).write(identity);
    this.child.stderr!.on('data', (text: Buffer) => {
      this.said += text.toString();
    });
    createInterface(this.child.stdout!).on('line', line => {
      if (line === 'listening') this.#listens = true;
      else this.reports.push(JSON.parse(line) as Report);
    });
    this.ended = once(this.child, 'close').then(([status]) => status as number | null);
  }

  async listens(): Promise<void> {
    await until(() => (this.#listens ? true : undefined), waitMs, `an end to listen (it said: ${this.said})`);
  }

  get last(): Report {
    return this.reports.at(-1)!;
  }
}

export async function udp(): Promise<{ socket: Socket; port: number }> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await within(once(socket, 'listening'), waitMs, 'a socket');
  return { socket, port: socket.address().port };
}

/** A port that nobody has just now. */
async function freePort(): Promise<number> {
  const { socket, port } = await udp();
  socket.close();
  return port;
}

/** Both ends between a media server and a browser, which are sockets here. `more`: words for both, after a space. */
export async function tunnel(stack: TunnelStack, mode: string, control: string, more = '') {
  const [server, browser, quicPort, udpPort] = [await udp(), await udp(), await freePort(), await freePort()];
  const common = `--quic 127.0.0.1:${quicPort} --mode ${mode} --congestion ${control} --silence-ms ${silenceMs} --report-ms 100${more}`;
  const near = new End(stack, `server --udp 127.0.0.1:${server.port} ${common}`, key + cert);
  let far: End | undefined;
  const close = () => {
    for (const end of [near, far]) end?.child.kill('SIGKILL');
    for (const { socket } of [server, browser]) socket.close();
  };
  try {
    await near.listens();
    far = new End(stack, `client --udp 127.0.0.1:${udpPort} ${common}`, cert);
    await far.listens();
    return { near, far, server: server.socket, browser: browser.socket, udpPort, quicPort, close };
  } catch (error) {
    close();
    throw error;
  }
}
