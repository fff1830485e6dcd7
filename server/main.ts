/**
 * Starts the media server as a process, which reads and writes JSON lines (server/control/protocol.ts) until its input
 * ends.
 */

import * as C from 'node-av/constants';
import * as av from 'node-av/lib';
import { LineSplitter } from '../core/system/jsonl.ts';
import { MediaServer } from './media-server.ts';

av.Log.setLevel(C.AV_LOG_ERROR);
const server = new MediaServer(event => process.stdout.write(`${JSON.stringify(event)}\n`));
process.on('uncaughtException', error => {
  server.sayError(error);
  process.exit(1);
});
process.on('SIGTERM', () => void server.close().finally(() => process.exit(0)));
const lines = new LineSplitter(line => server.take(line));
process.stdin.setEncoding('utf8').on('data', (chunk: string) => lines.push(chunk));
process.stdin.on('end', () => void server.finish().finally(() => process.exit(0)));
