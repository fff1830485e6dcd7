/**
 * Two-way UDP probes of round-trip time and clock. The far end returns each probe at once, with two time stamps of the
 * far end's clock. An answer is as large as its question, so an echo cannot be used to amplify traffic.
 */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { nowMs } from '../../../core/system/clock.ts';
import type { ClockSample } from '../../../core/system/clock-estimate.ts';

/** Marks at the start of a probe ("CoeP") and of an answer ("CoeA"). */
const [questionMark, answerMark] = [0x436f6550, 0x436f6541];
/** Bytes of a probe: mark, number of the probe, random number of the sender, t2 and t3 in us. */
const probeBytes = 28;
/** Milliseconds to wait for answers after the last probe was sent. */
const graceMs = 500;

const nowUs = () => nowMs() * 1000;

function open(address: string): Promise<Socket> {
  const socket = createSocket('udp4');
  return new Promise((resolve, reject) => {
    socket.once('error', error => {
      socket.close();
      reject(error);
    });
    socket.bind({ address, port: 0, exclusive: true }, () => {
      socket.removeAllListeners('error');
      socket.on('error', () => {}); // a probe that could not be sent counts as lost
      resolve(socket);
    });
  });
}

/** Starts an echo of probes at an address of this machine. The kernel chooses a free port. */
export async function openEcho(address: string): Promise<{ port: number; close(): void }> {
  const socket = await open(address);
  socket.on('message', (packet: Buffer, from: RemoteInfo) => {
    const arrivedUs = nowUs();
    if (packet.length !== probeBytes || packet.readUInt32BE(0) !== questionMark) return;
    packet.writeUInt32BE(answerMark, 0);
    packet.writeDoubleBE(arrivedUs, 12);
    packet.writeDoubleBE(nowUs(), 20);
    socket.send(packet, from.port, from.address);
  });
  return { port: socket.address().port, close: () => socket.close() };
}

export type ProbePlan = {
  /** Address of this machine from which probes are sent; with "0.0.0.0" the kernel selects the address. */
  from: string;
  to: string;
  port: number;
  count: number;
  intervalMs: number;
};

/** Sends probes and returns the samples of the answered ones. Lost probes are left out. */
export async function sendProbes({ from, to, port, count, intervalMs }: ProbePlan): Promise<ClockSample[]> {
  const socket = await open(from);
  const prober = Math.floor(Math.random() * 2 ** 32);
  const sentUs: number[] = [];
  const samples = new Map<number, ClockSample>();
  try {
    await new Promise<void>(resolve => {
      let grace: NodeJS.Timeout | undefined;
      const timer = setInterval(() => {
        const packet = Buffer.alloc(probeBytes);
        packet.writeUInt32BE(questionMark, 0);
        packet.writeUInt32BE(sentUs.length, 4);
        packet.writeUInt32BE(prober, 8);
        sentUs.push(nowUs());
        socket.send(packet, port, to);
        if (sentUs.length < count) return;
        clearInterval(timer);
        grace = setTimeout(resolve, graceMs);
      }, intervalMs);
      socket.on('message', (packet, { address, port: sender }) => {
        const t4 = nowUs();
        if (packet.length !== probeBytes || packet.readUInt32BE(0) !== answerMark || packet.readUInt32BE(8) !== prober)
          return;
        const [number, t2, t3] = [packet.readUInt32BE(4), packet.readDoubleBE(12), packet.readDoubleBE(20)];
        const t1 = sentUs[number];
        if (address !== to || sender !== port || t1 === undefined || samples.has(number)) return;
        if (!(Number.isFinite(t2) && t3 >= t2 && t4 - t1 >= t3 - t2)) return; // impossible times
        samples.set(number, { t1, t2, t3, t4 });
        if (samples.size < count) return;
        clearTimeout(grace);
        resolve();
      });
    });
  } finally {
    socket.close();
  }
  return [...samples.values()];
}
