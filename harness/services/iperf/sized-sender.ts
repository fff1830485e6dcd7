/**
 * Program that sends `bytes` bytes over each connection that a client opens. The connection stays open, so that the
 * kernel still reports the bytes that its socket has sent.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { readConfig } from '../shared/program-config.ts';
import { sendBytes } from '../shared/send-bytes.ts';

export type SizedSenderConfig = { host: string; port: number; bytes: number };

const { host, port, bytes } = readConfig<SizedSenderConfig>();

const server = createServer({ noDelay: true }, socket => {
  socket.on('error', () => {}); // the client is gone
  socket.resume();
  sendBytes(socket, bytes);
});
server.listen(port, host);
await once(server, 'listening');
process.stdout.write('listening\n');
