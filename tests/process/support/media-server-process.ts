/** The media server as a child that speaks its JSON lines, and a page's end of its signalling. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { check } from '../../../core/schema/schema.ts';
import { Child } from '../../../core/system/command.ts';
import { until, within } from '../../../core/system/deadline.ts';
import { LineSplitter } from '../../../core/system/jsonl.ts';
import { type Command, eventSchema, type ServerEvent } from '../../../server/control/protocol.ts';

const entry = fileURLToPath(new URL('../../../server/main.ts', import.meta.url));
const deadlineMs = 60_000;

export type EventOf<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>;

export class MediaServerProcess {
  readonly child = new Child(
    'media server',
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry], { stdio: ['pipe', 'pipe', 'pipe'] }),
  );
  /** Events that nobody has asked for yet. */
  readonly events: ServerEvent[] = [];

  constructor() {
    const lines = new LineSplitter(line => this.events.push(check(eventSchema, JSON.parse(line), 'event')));
    this.child.process.stdout!.setEncoding('utf8').on('data', (chunk: string) => lines.push(chunk));
    this.child.process.stdin!.on('error', () => {});
  }

  write(text: string): void {
    this.child.process.stdin!.write(text);
  }

  /** Sends a command and waits for the event that answers it. */
  async ask<T extends ServerEvent['type']>(command: Command | string, type: T): Promise<EventOf<T>> {
    this.write(`${typeof command === 'string' ? command : JSON.stringify(command)}\n`);
    return await this.next(type);
  }

  /** The first event of a type; those before it stay. */
  async next<T extends ServerEvent['type']>(type: T): Promise<EventOf<T>> {
    return await within(
      Promise.race([
        until(
          () => {
            const index = this.events.findIndex(event => event.type === type);
            return index < 0 ? undefined : (this.events.splice(index, 1)[0] as EventOf<T>);
          },
          deadlineMs,
          `"${type}"; came: ${JSON.stringify(this.events)}`,
        ),
        this.child.ended.then(({ status, signal }) => {
          throw new Error(`it ended (${status}, ${signal}) before "${type}": ${this.child.stderr}`);
        }),
      ]),
      deadlineMs + 1000,
      type,
    );
  }

  /** Closes its input and waits for its end; the exit status. */
  async end(): Promise<number | null> {
    this.child.process.stdin!.end();
    return (await within(this.child.ended, deadlineMs, 'its end')).status;
  }
}

/**
 * Says one thing over a connection of its own: the answers until the server, or we after the first answer, close it.
 */
export async function signal(
  url: string,
  token: string,
  data: string | Buffer,
): Promise<{ answers: { type: string; sdp?: string; message?: string }[]; code: number }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}signal?token=${encodeURIComponent(token)}`);
  const answers: { type: string; sdp?: string; message?: string }[] = [];
  socket.on('error', () => {}); // it closes after it
  socket.on('message', message => {
    answers.push(JSON.parse(String(message)));
    if (answers.at(-1)!.type === 'answer') socket.close();
  });
  socket.on('open', () => socket.send(data));
  const code = await within(
    new Promise<number>(resolve => socket.on('close', resolve)),
    deadlineMs,
    'the signalling to end',
  );
  return { answers, code };
}
