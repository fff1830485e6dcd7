/**
 * Stands for a browser on another machine: Playwright starts it as it would start the browser, and it carries the
 * browser's pipe for DevTools, its descriptors 3 and 4, to the socket that the first word names. The first line that it
 * sends are the other words, as JSON. It ends with the socket.
 */
import { Socket, connect } from 'node:net';

const [path, ...words] = process.argv.slice(2);
const socket = connect(path!);
socket.write(`${JSON.stringify(words)}\n`);
new Socket({ fd: 3, readable: true, writable: false }).pipe(socket);
socket.pipe(new Socket({ fd: 4, readable: false, writable: true }));
socket.on('error', () => {}).on('close', () => process.exit(0));
