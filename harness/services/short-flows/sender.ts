/**
 * Program that serves files: a client sends the size of a file in bytes and a line feed, and gets that many bytes. The
 * client ends the connection.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { readConfig } from '../shared/program-config.ts';
import { sendBytes } from '../shared/send-bytes.ts';

export type SenderConfig = { host: string; port: number };

/** Longest request, characters: the digits of the largest file and a line feed. */
const longestRequest = 12;

const { host, port } = readConfig<SenderConfig>();

const server = createServer({ noDelay: true }, socket => {
  let asked = '';
  socket.on('error', () => {}); // the client is gone
  socket.setEncoding('latin1').on('data', (text: string) => {
    const isNew = !asked.endsWith('\n');
    asked += text;
    if (!isNew || asked.length > longestRequest || !/^\d*\n?$/.test(asked)) socket.destroy();
    else if (asked.endsWith('\n')) sendBytes(socket, Number(asked));
  });
});
server.listen(port, host);
await once(server, 'listening');
process.stdout.write('listening\n');
