/**
 * Messages between harness and agent (carried by frames.ts). `id` identifies a program, or a question with one answer;
 * the harness chooses it.
 */
import { FrameError, type Head } from './frames.ts';

/** Version of the messages. It is increased with every message that an older end would not understand. */
export const protocolVersion = 2;

/** Longest pause between two messages of an end, ms. */
export const beatMs = 2000;
/** Time without messages after which an end is considered lost, ms. */
export const silenceMs = 10_000;

/** Largest number of unread bytes of a program's input, and of a program's output. */
export const maxWaitingBytes = 1 << 26;

/** Times t1 to t3 of a clock probe (core/system/clock-estimate.ts). The receiver of the answer adds t4. */
type Times = { t1: number; t2: number; t3: number };

export type Order =
  | { type: 'hello'; protocol: number; silenceMs: number }
  | { type: 'beat'; t1: number }
  | { type: 'end' }
  /** Starts a program. `environment`: variables that are added to those of the agent. */
  | { type: 'start'; id: number; argv: string[]; environment: Record<string, string>; folder: string | null }
  /** Input of a program: the body goes to the program's standard input. */
  | { type: 'input'; id: number }
  | { type: 'input-end'; id: number }
  | { type: 'signal'; id: number; signal: NodeJS.Signals; isGroup: boolean }
  | { type: 'processes'; id: number }
  /** Starts an echo of UDP probes on an address of the machine. It runs until the agent ends. */
  | { type: 'echo'; id: number; address: string }
  | { type: 'probe'; id: number; from: string; to: string; port: number; count: number; intervalMs: number };

const text = (value: unknown, what: string): string => {
  if (typeof value !== 'string' || value.includes('\0')) throw new FrameError(`${what} is not text`);
  return value;
};

const number = (value: unknown, what: string): number => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new FrameError(`${what} is not a number`);
  return value;
};

const whole = (value: unknown, what: string, least: number, most: number): number => {
  if (!Number.isInteger(number(value, what)) || Number(value) < least || Number(value) > most)
    throw new FrameError(`${what} is not a whole number from ${least} to ${most}`);
  return Number(value);
};

const list = (value: unknown, what: string): unknown[] => {
  if (!Array.isArray(value)) throw new FrameError(`${what} is not a list`);
  return value;
};

const signals: readonly string[] = [
  'SIGINT',
  'SIGTERM',
  'SIGKILL',
  'SIGHUP',
  'SIGUSR1',
  'SIGUSR2',
  'SIGSTOP',
  'SIGCONT',
];

/**
 * Parses an order. Throws `FrameError` if the head is not an order. The parser is written by hand, since the agent has
 * no packages.
 */
export function readOrder(head: Head): Order {
  const id = () => whole(head['id'], 'id', 1, 2 ** 48);
  const port = () => whole(head['port'], 'port', 1, 65_535);
  switch (head['type']) {
    case 'hello':
      return {
        type: 'hello',
        protocol: whole(head['protocol'], 'protocol', 1, 2 ** 31),
        silenceMs: whole(head['silenceMs'], 'silenceMs', 100, 60_000),
      };
    case 'beat':
      return { type: 'beat', t1: number(head['t1'], 't1') };
    case 'end':
      return { type: 'end' };
    case 'start': {
      const argv = list(head['argv'], 'argv').map(word => text(word, 'a word of argv'));
      if (argv.length === 0 || argv[0] === '') throw new FrameError('argv is empty');
      const variables = head['environment'];
      if (typeof variables !== 'object' || variables === null) throw new FrameError('environment is no object');
      return {
        type: 'start',
        id: id(),
        argv,
        environment: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, text(value, name)])),
        folder: head['folder'] === null ? null : text(head['folder'], 'folder'),
      };
    }
    case 'input':
    case 'input-end':
    case 'processes':
      return { type: head['type'], id: id() };
    case 'signal': {
      const signal = text(head['signal'], 'signal');
      if (!signals.includes(signal)) throw new FrameError(`${JSON.stringify(signal)} is no signal that is sent`);
      return { type: 'signal', id: id(), signal: signal as NodeJS.Signals, isGroup: head['isGroup'] === true };
    }
    case 'echo':
      return { type: 'echo', id: id(), address: text(head['address'], 'address') };
    case 'probe':
      return {
        type: 'probe',
        id: id(),
        from: text(head['from'], 'from'),
        to: text(head['to'], 'to'),
        port: port(),
        count: whole(head['count'], 'count', 1, 1000),
        intervalMs: whole(head['intervalMs'], 'intervalMs', 1, 1000),
      };
    default:
      throw new FrameError(`${JSON.stringify(head['type'])?.slice(0, 40)} is no order`);
  }
}

export type Report =
  /**
   * `code`: SHA-256 of the agent's program as it arrived. `isContained`: true if the kernel kills everything that the
   * agent has started whenever the agent ends. `folder`: path of the folder that is removed with the agent.
   * `monotonicUs`: the agent's clock minus CLOCK_MONOTONIC.
   */
  | {
      type: 'hello';
      protocol: number;
      code: string;
      node: string;
      isContained: boolean;
      folder: string;
      monotonicUs: number;
    }
  | { type: 'beat'; t1: number; t2: number; t3: number }
  | { type: 'started'; id: number }
  /** Output of a program: the body is part of the program's standard output or standard error. */
  | { type: 'out' | 'err'; id: number }
  | { type: 'exit'; id: number; status: number | null; signal: string | null }
  /** End of output: all output of the program has been sent. */
  | { type: 'closed'; id: number }
  /**
   * Failure: the program could not be started, or the question could not be answered. `code`: code of the system error;
   * null if there is none.
   */
  | { type: 'failed'; id: number; code: string | null; message: string }
  | { type: 'answer'; id: number; value: unknown };

/**
 * Parses a report. Throws `FrameError` if the head is not a report. Nothing in it is trusted, since the machine may be
 * under foreign control.
 */
export function readReport(head: Head): Report {
  const id = () => whole(head['id'], 'id', 1, 2 ** 48);
  const orNull = <T>(value: unknown, read: (value: unknown) => T) => (value === null ? null : read(value));
  switch (head['type']) {
    case 'hello':
      return {
        type: 'hello',
        protocol: whole(head['protocol'], 'protocol', 1, 2 ** 31),
        code: text(head['code'], 'code'),
        node: text(head['node'], 'node'),
        isContained: head['isContained'] === true,
        folder: text(head['folder'], 'folder'),
        monotonicUs: number(head['monotonicUs'], 'monotonicUs'),
      };
    case 'beat':
      return { type: 'beat', ...readTimes(head) };
    case 'started':
    case 'out':
    case 'err':
    case 'closed':
      return { type: head['type'], id: id() };
    case 'exit':
      return {
        type: 'exit',
        id: id(),
        status: orNull(head['status'], value => whole(value, 'status', 0, 255)),
        signal: orNull(head['signal'], value => text(value, 'signal')),
      };
    case 'failed':
      return {
        type: 'failed',
        id: id(),
        code: orNull(head['code'], value => text(value, 'code')),
        message: text(head['message'], 'message'),
      };
    case 'answer':
      return { type: 'answer', id: id(), value: head['value'] };
    default:
      throw new FrameError(`${JSON.stringify(head['type'])?.slice(0, 40)} is no report`);
  }
}

function readTimes(head: Head): Times {
  return { t1: number(head['t1'], 't1'), t2: number(head['t2'], 't2'), t3: number(head['t3'], 't3') };
}

/** Returns the samples in an agent's answer to a probe. Throws `FrameError` if the answer is not valid. */
export function readSamples(value: unknown): (Times & { t4: number })[] {
  return list(value, 'samples').map(sample => {
    if (typeof sample !== 'object' || sample === null) throw new FrameError('a sample is no object');
    return { ...readTimes(sample as Head), t4: number((sample as Head)['t4'], 't4') };
  });
}

/**
 * Returns the whole numbers, such as process ids, in an agent's answer. Throws `FrameError` if the answer is not valid.
 */
export function readWholeNumbers(value: unknown): number[] {
  return list(value, 'answer').map(one => whole(one, 'a number', 0, 2 ** 31));
}
