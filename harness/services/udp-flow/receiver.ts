/**
 * Program that receives the packets of the flow. The line "begin" on its standard input starts the hello packets. It
 * answers every other line with the counts so far.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { readConfig } from '../shared/program-config.ts';
import { Account, hello } from './packet.ts';

export type ReceiverConfig = { address: string; host: string; port: number };

/** Intervals of hello packets, ms: before the first packet of the flow, and after it. */
const [callMs, aliveMs] = [100, 1000];

const { address, host, port } = readConfig<ReceiverConfig>();
const account = new Account();
const socket = createSocket('udp4');
socket.on('error', error => {
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
});
socket.on('message', bytes => account.take(bytes));
const call = () => {
  socket.send(hello, port, host, () => {}); // a hello that is not sent is followed by the next
  setTimeout(call, account.received.packets === 0 ? callMs : aliveMs);
};
createInterface(process.stdin).on('line', line => {
  if (line === 'begin') call();
  else process.stdout.write(`${JSON.stringify(account.received)}\n`);
});
socket.bind(0, address);
await once(socket, 'listening');
process.stdout.write('listening\n');
