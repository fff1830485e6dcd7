/** Reads the configuration that server-program.ts passes to one of our programs at its start. */

export function readConfig<T>(): T {
  return JSON.parse(process.argv[2] ?? '{}') as T;
}
