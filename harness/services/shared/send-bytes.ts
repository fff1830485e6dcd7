/** Sends a number of bytes that cannot be compressed over a TCP connection, as fast as the connection takes them. */
import type { Socket } from 'node:net';
import { incompressible, pieceBytes } from './incompressible.ts';

export function sendBytes(socket: Socket, bytes: number): void {
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
}
