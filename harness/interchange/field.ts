/** How a field of a series is described, and the shorthand for it. */

export type Field = {
  /** "ms", "bit/s", "bytes"; "" where it has none. */
  unit: string;
  type: 'number' | 'text' | 'boolean';
  about: string;
};

/** Fields whose names are not ours: those of a browser's statistics. */
export type OpenFields = {
  /** Begins every name; "" for all that is not described. */ prefix: string;
  source: string;
  about: string;
};

export type SeriesDescription = {
  title: string;
  /** How often, and when. */
  pace: string;
  fields: Record<string, Field>;
  open?: OpenFields[];
};

/** By the name of the series. */
export type SeriesDescriptions = Readonly<Record<string, SeriesDescription>>;

/** Names of all the fields that records of a type may have, those of an inner object behind its own name and a dot. */
type Paths<T> = T extends unknown
  ? {
      [K in keyof T & string]-?: NonNullable<T[K]> extends string | number | boolean
        ? K
        : `${K}.${keyof NonNullable<T[K]> & string}`;
    }[keyof T & string]
  : never;

/** A description that leaves out no field of the type: the compiler sees to it. */
export type Fields<T> = Record<Paths<T>, Field>;

const numbered =
  (unit: string) =>
  (about: string): Field => ({ unit, type: 'number', about });

export const ms = numbered('ms');
export const time = numbered('ms since 1970');
export const seconds = numbered('s');
export const bps = numbered('bit/s');
export const bytes = numbered('bytes');
export const packets = numbered('packets');
export const frames = numbered('frames');
export const ratio = numbered('ratio');
export const percent = numbered('%');
export const cores = numbered('cores');
export const pixels = numbered('pixels');
export const count = numbered('');
export const text = (about: string): Field => ({ unit: '', type: 'text', about });
export const flag = (about: string): Field => ({ unit: '', type: 'boolean', about });
