/**
 * Program that receives `bytes` bytes over each of several connections, and leaves the connections open. They begin one
 * after another once the program reads a line. It prints a line when a connection begins and when its bytes are
 * complete. If a connection is refused or breaks, the program exits with the reason.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { readConfig } from '../shared/program-config.ts';
import type { SizedReceiverLine } from './sized-receiver-line.ts';

export type SizedReceiverConfig = { host: string; port: number; bytes: number; flows: number; staggerMs: number };

const { host, port, bytes, flows, staggerMs } = readConfig<SizedReceiverConfig>();
const tell = (line: SizedReceiverLine) => process.stdout.write(`${JSON.stringify(line)}\n`);
const give = (reason: string) => {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
};

function receive(): void {
  const beginMs = performance.now();
  let received = 0;
  const socket = connect(
    {
      host,
      port,
      onread: {
        buffer: Buffer.alloc(1 << 16),
        callback: count => {
          received += count;
          if (received === bytes) tell({ over: socket.localPort!, durationMs: performance.now() - beginMs, bytes });
          return true;
        },
      },
    },
    () => tell({ begun: socket.localPort! }),
  );
  socket.on('error', error => give(`a connection broke: ${error.message}`));
  socket.on('close', () => give('a connection was closed'));
}

process.stdout.write('listening\n');
await once(process.stdin, 'data');
process.stdin.destroy();
for (let k = 0; k < flows; k++) setTimeout(receive, k * staggerMs);
