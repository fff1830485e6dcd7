/**
 * Program that sends `bytes` bytes over each connection that a client opens. The connection stays open, so that the
 * kernel still reports the bytes that its socket has sent.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { incompressible, pieceBytes } from '../shared/incompressible.ts';
import { readConfig } from '../shared/program-config.ts';

export type SizedSenderConfig = { host: string; port: number; bytes: number };

const { host, port, bytes } = readConfig<SizedSenderConfig>();

const server = createServer({ noDelay: true }, socket => {
  socket.on('error', () => {}); // the client is gone
  socket.resume();
  let sent = 0;
  const more = () => {
    for (let hasRoom = true; hasRoom && sent < bytes; ) {
      const piece = incompressible(sent, Math.min(pieceBytes, bytes - sent));
      sent += piece.length;
      hasRoom = socket.write(piece);
    }
  };
  socket.on('drain', more);
  more();
});
server.listen(port, host);
await once(server, 'listening');
process.stdout.write('listening\n');
