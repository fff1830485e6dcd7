/** Loads the series of records. Each file in the folder series/ exports one series. */
import { readdir } from 'node:fs/promises';
import { Series } from './schema/series.ts';

/** Returns all series, by id. */
export async function loadSeries(): Promise<Map<string, Series>> {
  const folder = new URL('series/', import.meta.url);
  const all = new Map<string, Series>();
  for (const file of (await readdir(folder)).sort()) {
    const exported = Object.values((await import(new URL(file, folder).href)) as object);
    const [series, ...others] = exported.filter((one): one is Series => one instanceof Series);
    if (series === undefined || others.length > 0 || `${series.id}.ts` !== file)
      throw new Error(
        `harness/record/series/${file} must export one series, with the id "${file.replace(/\.ts$/, '')}"`,
      );
    all.set(series.id, series);
  }
  return all;
}
