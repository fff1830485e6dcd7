/** A program that an agent has started on its machine, with the interface of Node's ChildProcess. */
import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import type { CoexistError } from '../../../core/errors.ts';
import type { Program } from '../../../core/system/command.ts';
import { maxWaitingBytes } from './protocol.ts';

type Steering = {
  input(bytes: Buffer, done: () => void): void;
  inputEnd(): void;
  signal(signal: NodeJS.Signals, isGroup: boolean): void;
};

export class RemoteProgram extends EventEmitter implements Program {
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  readonly stdin: Writable;
  readonly stdout = new Readable({ read() {} });
  readonly stderr = new Readable({ read() {} });
  readonly stdio: ChildProcess['stdio'];
  readonly #steering: Steering;
  #isOver = false;

  constructor(steering: Steering) {
    super();
    this.#steering = steering;
    this.stdin = new Writable({
      write: (chunk: Buffer, _encoding, done) => steering.input(chunk, done),
      final: done => {
        steering.inputEnd();
        done();
      },
    });
    this.stdio = [this.stdin, this.stdout, this.stderr, null, null];
    let open = 2;
    for (const pipe of [this.stdout, this.stderr]) {
      pipe.once('close', () => {
        if (--open === 0) this.#over();
      });
    }
  }

  kill(signal: NodeJS.Signals = 'SIGTERM'): boolean {
    if (this.#hasEnded) return false;
    this.#steering.signal(signal, false);
    return true;
  }

  killGroup(): void {
    this.#steering.signal('SIGKILL', true);
  }

  get #hasEnded(): boolean {
    return this.exitCode !== null || this.signalCode !== null;
  }

  onOutput(pipe: 'out' | 'err', bytes: Buffer): void {
    const readable = pipe === 'out' ? this.stdout : this.stderr;
    if (readable.destroyed || readable.readableEnded) return;
    if (readable.readableLength > maxWaitingBytes) return this.killGroup(); // the output is not read
    readable.push(bytes);
  }

  onExit(status: number | null, signal: NodeJS.Signals | null): void {
    [this.exitCode, this.signalCode] = [status, signal];
    this.emit('exit', status, signal);
    if (this.stdout.destroyed && this.stderr.destroyed) this.#over();
  }

  /** Called by the connection when all output of the program has arrived. */
  onClosed(): void {
    for (const pipe of [this.stdout, this.stderr]) {
      if (pipe.destroyed) continue;
      pipe.push(null);
      if (pipe.readableFlowing === null && pipe.listenerCount('readable') === 0) pipe.resume();
    }
  }

  /** Called by the connection when the program could not be started, or when its state is unknown. */
  onFailed(error: CoexistError | NodeJS.ErrnoException): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.#hasEnded) this.signalCode = 'SIGKILL'; // the program is out of reach, so it counts as killed
    for (const pipe of [this.stdin, this.stdout, this.stderr]) pipe.destroy();
    if (this.listenerCount('error') > 0) this.emit('error', error);
  }

  #over(): void {
    if (this.#isOver || !this.#hasEnded) return;
    this.#isOver = true;
    this.stdin.destroy();
    this.emit('close', this.exitCode, this.signalCode);
  }
}
