/**
 * Parts of a trial: its subject, and the applications other than the subject. Names of values: a quantity has a value
 * for each application, and some quantities have one for the applications other than the subject together.
 */

type Parties<A> = {
  applications: readonly A[];
  /** Name of the application that the study is about. */
  subject: string;
};

export function subjectOf<A extends { name: string }>({ applications, subject }: Parties<A>): A {
  return applications.find(({ name }) => name === subject)!;
}

/** Returns the applications of a trial other than the subject. */
export function othersOf<A extends { name: string }>({ applications, subject }: Parties<A>): A[] {
  return applications.filter(({ name }) => name !== subject);
}

/** Word that stands for all applications other than the subject, together. No application may have this name. */
export const allOthers = 'others';

/** Name of a value in a summary. */
export type ValueName = {
  /** Id of the quantity: "goodput". */
  metric: string;
  /**
   * Application that the value is of, `allOthers`, or a bottleneck by its name (hops.ts). Missing: the subject
   * of the study, or whatever the quantity has its single value of, such as the link.
   */
  of?: string | undefined;
};

/** Values by the part of a trial that they are of. `V`: values by id of the quantity. */
export type ValuesByPart<V> = {
  /** Values of the subject, of the link, and of all applications. */
  metrics: V;
  /** Values of each application other than the subject, by its name. */
  others: Readonly<Record<string, V>>;
  /** Values of the applications other than the subject, together. */
  together: V;
  /**
   * Values at each bottleneck but the first towards the clients, by its name (hops.ts). Missing if the link has none.
   */
  hops?: Readonly<Record<string, V>>;
};

/** Returns the values of a part of a trial. `of`: see `ValueName`. `subject`: name of the study's subject, if it has one. */
export function valuesOf<V>(
  { metrics, others, together, hops = {} }: ValuesByPart<V>,
  of: string | undefined,
  subject: string | null,
): V | undefined {
  if (of === undefined || of === subject) return metrics;
  if (of === allOthers) return together;
  return Object.hasOwn(others, of) ? others[of] : Object.hasOwn(hops, of) ? hops[of] : undefined;
}

/** Returns the value with this name; undefined if there is none. */
export const namedValue = <T>(
  parts: ValuesByPart<Readonly<Record<string, T>>>,
  { metric, of }: ValueName,
  subject: string | null,
): T | undefined => valuesOf(parts, of, subject)?.[metric];

/** True for an application that only fills the link, as iperf3 does. */
export const isFlood = ({ kind }: { kind: string }) => kind === 'baseline';
