/** Configuration that one of our programs got when it was started (server-program.ts). */

export function readConfig<T>(): T {
  return JSON.parse(process.argv[2] ?? '{}') as T;
}
