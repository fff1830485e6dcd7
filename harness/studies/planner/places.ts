/**
 * Pairs of hosts of a study, one for each application and each further client. An application uses the same pair in all
 * conditions; if it crosses other bottlenecks of a row in one of them, it uses another pair there.
 */
import type { HopSpan } from '../../../core/vocabulary/link.ts';
import type { Condition } from '../../definition/conditions.ts';

type Of = Pick<Condition, 'applications' | 'link'>;
type Users = { name: string; span: HopSpan | null; further: number }[];

const usersOf = ({ applications, link: { paths } }: Of): Users =>
  applications.map(({ name, clients = 1 }) => ({ name, span: paths[name]!.crosses ?? null, further: clients - 1 }));

const keyOf = (span: HopSpan | null, name = '') => JSON.stringify([name, span?.from, span?.to]);

export class Places {
  /** Bottlenecks between the hosts of each pair; null: all. */
  readonly spans: (HopSpan | null)[] = [];
  /** Number of the pair of each application, by name and span. */
  readonly #own = new Map<string, number>();
  /** Numbers of the pairs of further clients, by span. */
  readonly #further = new Map<string, number[]>();

  constructor(conditions: readonly Of[]) {
    const all = conditions.map(usersOf);
    for (const { name, span } of all.flat()) {
      const key = keyOf(span, name);
      if (!this.#own.has(key)) this.#own.set(key, this.spans.push(span) - 1);
    }
    for (const span of [...this.spans]) {
      const key = keyOf(span);
      if (this.#further.has(key)) continue;
      const needed = all.map(users => users.reduce((sum, one) => sum + (keyOf(one.span) === key ? one.further : 0), 0));
      this.#further.set(
        key,
        Array.from({ length: Math.max(0, ...needed) }, () => this.spans.push(span) - 1),
      );
    }
    // the network needs hosts at both of its ends
    if (this.spans.length > 0 && !this.spans.includes(null)) this.spans.push(null);
  }

  /** Returns the pair of each application of a condition, and those of the further clients of each. */
  of(condition: Of): { places: number[]; furtherPlaces: number[][] } {
    const users = usersOf(condition);
    const left = new Map([...this.#further].map(([key, places]) => [key, [...places]]));
    return {
      places: users.map(({ name, span }) => this.#own.get(keyOf(span, name))!),
      furtherPlaces: users.map(({ span, further }) => left.get(keyOf(span))!.splice(0, further)),
    };
  }
}
