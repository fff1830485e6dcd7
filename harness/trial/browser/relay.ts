/**
 * Stands for a browser on another machine: Playwright starts this program as it would start the browser. The program
 * forwards the browser's DevTools pipe (descriptors 3 and 4) to the socket that its first argument names. The first
 * line that it writes there has its other arguments as JSON. The program ends when the socket closes.
 */
import { connect, Socket } from 'node:net';

const [path, ...words] = process.argv.slice(2);
const socket = connect(path!);
socket.write(`${JSON.stringify(words)}\n`);
new Socket({ fd: 3, readable: true, writable: false }).pipe(socket);
socket.pipe(new Socket({ fd: 4, readable: false, writable: true }));
socket.on('error', () => {}).on('close', () => process.exit(0));
