/** Caches values that are computed from a record. */

/** Returns a function that calls `compute` once for each record. Results are freed with the record. */
export function onceFor<R extends object, T>(compute: (record: R) => Promise<T>): (record: R) => Promise<T> {
  const known = new WeakMap<R, Promise<T>>();
  return record => {
    let result = known.get(record);
    if (result === undefined) known.set(record, (result = compute(record)));
    return result;
  };
}
