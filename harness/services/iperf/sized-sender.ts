/**
 * Sends so many bytes over each connection that it is asked for, and leaves it open: its socket goes on telling what
 * was sent.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { incompressible, pieceBytes } from '../shared/incompressible.ts';
import { readConfig } from '../shared/program-config.ts';

export type SizedSenderConfig = { host: string; port: number; bytes: number };

const { host, port, bytes } = readConfig<SizedSenderConfig>();

const server = createServer({ noDelay: true }, socket => {
  socket.on('error', () => {}); // who went away needs nothing more
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
