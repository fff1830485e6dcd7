/**
 * The core of coexist-link in virtual time (shaper/emulator/native/tests/replay.c): runs given packets through a given
 * link without waiting.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Direction } from '../../../../core/vocabulary/link.ts';
import type { LinkConfig } from '../../../../shaper/emulator/link-types.ts';
import { make } from './link-make.ts';

const program = fileURLToPath(new URL('../../../../shaper/emulator/native/build/link-test/replay', import.meta.url));

/** Builds it if it is outdated. */
export const buildReplay = () => make('replay');

export type Sent = {
  timeNs: number;
  direction: Direction;
  source: string;
  destination: string;
  ipBytes: number;
  port: number;
  /** The ECN field: 0 not capable, 1 ECT(1), 2 ECT(0). */
  ecn: number;
};

type Look = { timeNs: number; direction: Direction };

export type Counted = { inPackets: number; sentPackets: number; droppedPackets: number; markedPackets: number };

export type Replayed = {
  /** Departure of each packet, ns, in the order of sending; undefined if dropped. */
  leftNs: (number | undefined)[];
  /** Backlogs in the order of the looks. */
  backlogs: number[];
  counted: Partial<Record<Direction, Counted>>;
};

export async function replay(config: LinkConfig, sent: readonly Sent[], looks: readonly Look[]): Promise<Replayed> {
  const order = sent.map((_, k) => k).sort((a, b) => sent[a]!.timeNs - sent[b]!.timeNs || a - b);
  const sends = order.map(k => {
    const { timeNs, direction, source, destination, ipBytes, port, ecn } = sent[k]!;
    return { timeNs, line: `send ${timeNs} ${direction} ${source} ${destination} ${ipBytes} ${port} ${ecn}` };
  });
  const asks = looks.map(({ timeNs, direction }) => ({ timeNs, line: `look ${timeNs} ${direction}` }));
  const lines = [...sends, ...asks].sort((a, b) => a.timeNs - b.timeNs).map(({ line }) => line);
  const output = await outputOf(`${[JSON.stringify(config), ...lines].join('\n')}\n`);
  const leftNs: (number | undefined)[] = Array.from({ length: sent.length });
  const counted: Replayed['counted'] = {};
  const backlogs: number[] = [];
  for (const line of output.trimEnd().split('\n')) {
    const [what, ...words] = line.split(' ');
    const numbers = words.map(Number);
    if (what === 'left') leftNs[order[numbers[0]! - 1]!] = numbers[1]!;
    else if (what === 'backlog') backlogs.push(numbers[0]!);
    else if (what === 'down' || what === 'up') {
      const [inPackets, sentPackets, droppedPackets, markedPackets] = numbers as [number, number, number, number];
      counted[what] = { inPackets, sentPackets, droppedPackets, markedPackets };
    } else throw new Error(`replay said: ${line}`);
  }
  return { leftNs, backlogs, counted };
}

async function outputOf(input: string): Promise<string> {
  const child = spawn(program);
  const out: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => void out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => void errors.push(chunk));
  child.stdin.on('error', () => {}); // the program ends early if it refuses the link
  child.stdin.end(input);
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`replay ended with ${status}: ${Buffer.concat(errors).toString().trim()}`);
  return Buffer.concat(out).toString();
}
