/** Virtual time: callbacks in order of their time, and in order of their making where times are equal. */

type Event = { atMs: number; order: number; run: (nowMs: number) => void };

export class EventQueue {
  /** A binary heap. */
  readonly #heap: Event[] = [];
  #order = 0;
  #nowMs = 0;

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Runs the callback at a time, at once where that has passed; Infinity is never. */
  at(atMs: number, run: (nowMs: number) => void): void {
    if (atMs === Infinity) return;
    const heap = this.#heap;
    const event = { atMs: Math.max(atMs, this.#nowMs), order: this.#order++, run };
    let index = heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(event, heap[parent]!)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = event;
  }

  /** Runs the callback at `fromMs` and every `intervalMs` after it. */
  every(intervalMs: number, fromMs: number, run: (nowMs: number) => void): void {
    let count = 0;
    const next = (nowMs: number) => {
      run(nowMs);
      this.at(fromMs + ++count * intervalMs, next);
    };
    this.at(fromMs, next);
  }

  /** Runs everything up to and including `untilMs`. */
  runUntil(untilMs: number): void {
    while (this.#heap.length > 0 && this.#heap[0]!.atMs <= untilMs) {
      const event = this.#take();
      this.#nowMs = event.atMs;
      event.run(event.atMs);
    }
    this.#nowMs = untilMs;
  }

  #take(): Event {
    const heap = this.#heap;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
