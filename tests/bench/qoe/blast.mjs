/** Sends UDP at once, as fast as the machine can: the bytes that each line of its input says, to ADDRESS. */
import { createSocket } from 'node:dgram';
import { createInterface } from 'node:readline';

/** Payload that fills a packet of 1500 bytes, and its length with the Ethernet header. */
const [payloadBytes, frameBytes] = [1472, 1514];
const discardPort = 9;

const [address] = process.argv.slice(2);
const socket = createSocket('udp4');
socket.on('error', () => {}); // nobody listens there, and the host says so
const payload = Buffer.alloc(payloadBytes);
for await (const line of createInterface({ input: process.stdin })) {
  for (let bytes = Number(line); bytes > 0; bytes -= frameBytes) socket.send(payload, discardPort, address);
}
socket.close();
