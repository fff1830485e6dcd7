/**
 * Sends as an application does: steps of [seconds, bit/s], where 0 is silence and -1 as fast as the connection takes
 * it.
 *
 *   node paced-sender.mjs HOST PORT STEPS     STEPS as JSON; prints the local port, then exits when all is sent
 */
import { connect } from 'node:net';

const [host, port, steps] = process.argv.slice(2);
const tickMs = 5;
const chunk = Buffer.alloc(65536);
const socket = connect({ host, port: Number(port), noDelay: true, highWaterMark: 1 << 20 });
socket.on('error', error => {
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
});
await new Promise(resolve => socket.once('connect', resolve));
process.stdout.write(`${socket.localPort}\n`);
for (const [seconds, bitsPerSecond] of JSON.parse(steps)) {
  const start = performance.now();
  let sent = 0;
  while (performance.now() - start < seconds * 1000) {
    const due = bitsPerSecond < 0 ? sent + 10 * chunk.length : (bitsPerSecond / 8000) * (performance.now() - start);
    while (sent < due && socket.writableLength < chunk.length * 4) {
      const bytes = bitsPerSecond < 0 ? chunk.length : Math.min(chunk.length, Math.ceil(due - sent));
      socket.write(chunk.subarray(0, bytes));
      sent += bytes;
    }
    await new Promise(resolve => setTimeout(resolve, tickMs));
  }
}
socket.end();
