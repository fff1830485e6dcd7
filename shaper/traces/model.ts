/**
 * Times at which packets leave a link that follows a trace, computed without the emulator: a preflight and tests compare
 * the emulator with it. The queue is a FIFO without limit. All times are ms since the trace was started.
 */
import type { LoadedTrace } from './load.ts';
import { listsOf } from './table.ts';

/** How the trace is played: its time at the start, the factor of its rates, and whether it starts again. */
type Played = { startMs: number; times: number; loop: boolean };

type ModelLink = {
  /** Rate without a trace, bit/s, for a table that gives no rate. */
  ownBps: number;
  /** Delay of the path, ms. */
  delayMs: number;
};

/** Packet that reaches the link at `atMs`. `bytes`: bytes that the link counts. */
type ModelPacket = { atMs: number; bytes: number };

/** Index of the last row at or before `atMs`, a time of the trace. */
function rowAt(rows: readonly { atMs: number }[], atMs: number): number {
  let [low, high] = [0, rows.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (rows[middle]!.atMs <= atMs) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns a function that serves packets one after another: the departure of a packet that is ready at `readyMs`. */
function server({ opportunities, table }: LoadedTrace, played: Played, ownBps: number) {
  const { startMs, times, loop } = played;
  let freeMs = -Infinity;
  if (opportunities !== null) {
    const { timesMs } = opportunities;
    const periodMs = timesMs.at(-1)!;
    const timeOf = (n: number) => Math.floor(n / timesMs.length) * periodMs + timesMs[n % timesMs.length]!;
    let [next, roomBits] = [0, 0];
    return (readyMs: number, bytes: number): number => {
      if (readyMs > freeMs) {
        roomBits = 0;
        const atMs = readyMs + startMs;
        const round = Math.floor(atMs / periodMs);
        // the first opportunity after `atMs`: the last one of a round is later than any time within it
        let [low, high] = [0, timesMs.length];
        while (low < high) {
          const middle = (low + high) >> 1;
          if (timesMs[middle]! <= atMs - round * periodMs) low = middle + 1;
          else high = middle;
        }
        next = round * timesMs.length + low;
      }
      let leftBits = bytes * 8;
      while (leftBits > roomBits) {
        leftBits -= roomBits;
        roomBits = 1500 * 8 * times;
        freeMs = timeOf(next++) - startMs;
      }
      roomBits -= leftBits;
      return freeMs;
    };
  }
  const rates = table === null ? [] : listsOf(table, { times, loop }).rates;
  const periodMs = table?.periodMs ?? 0;
  return (readyMs: number, bytes: number): number => {
    let atMs = Math.max(readyMs, freeMs) + startMs;
    let leftBits = bytes * 8;
    for (; rates.length > 0; ) {
      const roundMs = loop ? Math.floor(atMs / periodMs) * periodMs : 0;
      const k = rowAt(rates, atMs - roundMs);
      const { rateBps, suspended } = rates[k]!;
      const endMs = k + 1 < rates.length ? roundMs + rates[k + 1]!.atMs : loop ? roundMs + periodMs : Infinity;
      const perMs = suspended ? 0 : (rateBps ?? ownBps) / 1e3;
      if (leftBits <= perMs * (endMs - atMs)) {
        atMs += leftBits / perMs;
        leftBits = 0;
        break;
      }
      leftBits -= perMs * (endMs - atMs);
      atMs = endMs;
    }
    freeMs = atMs - startMs + (leftBits * 1e3) / ownBps;
    return freeMs;
  };
}

/** Returns a function for the delay that the trace adds to a packet that comes at `atMs`, ms. */
function delays({ table }: LoadedTrace, played: Played): (atMs: number) => number {
  if (table === null || table.facts.delay === null) return () => 0;
  const rows = listsOf(table, played).delays;
  return atMs => {
    const traceMs = atMs + played.startMs;
    const withinMs = played.loop ? traceMs - Math.floor(traceMs / table.periodMs) * table.periodMs : traceMs;
    const k = rowAt(rows, withinMs);
    const [row, next] = [rows[k]!, rows[k + 1]];
    if (!table.linear || next === undefined) return row.delayMs;
    return row.delayMs + ((next.delayMs - row.delayMs) * (withinMs - row.atMs)) / (next.atMs - row.atMs);
  };
}

/** Returns the departure of each packet, ms. `packets`: in the order in which they reach the link. */
export function departuresMs(
  loaded: LoadedTrace,
  played: Played,
  { ownBps, delayMs }: ModelLink,
  packets: readonly ModelPacket[],
): number[] {
  const serve = server(loaded, played, ownBps);
  const delayAt = delays(loaded, played);
  let readyMs = -Infinity;
  return packets.map(({ atMs, bytes }) => {
    // packets keep their order
    readyMs = Math.max(readyMs, atMs + delayMs + delayAt(atMs));
    return serve(readyMs, bytes);
  });
}

/** Returns the random loss that packets meet which leave the link at `atMs`. */
export function lossAt(
  { table }: LoadedTrace,
  played: Played,
  atMs: number,
): { lossRatio: number; burstPackets: number } {
  if (table === null || table.facts.lossRatio === null) return { lossRatio: 0, burstPackets: 1 };
  const traceMs = atMs + played.startMs;
  const withinMs = played.loop ? traceMs - Math.floor(traceMs / table.periodMs) * table.periodMs : traceMs;
  const { lossRatio = 0, burstPackets = 1 } = table.rows[rowAt(table.rows, withinMs)]!;
  return { lossRatio, burstPackets };
}
