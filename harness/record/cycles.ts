/**
 * Folder of a repeated study, which is a static site:
 *
 *   index.html          results of the newest cycle, changes, and a list of cycles
 *   site.json           the published address, and what is known of each complete cycle
 *   cycles/0001/        the run folder of a cycle, with its report.html
 *
 * A kind of study may have further pages. A cycle is complete when `site.json` names it; a report can also be made while
 * a cycle is running.
 */
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CoexistError, writeError } from '../../core/errors.ts';
import { z } from '../../core/schema/schema.ts';
import { makeOwnFolder } from '../../core/system/folders.ts';
import { writeWhole } from '../../core/system/whole-file.ts';
import { siteUrl } from '../../core/text/site-url.ts';
import { readJson } from './json-file.ts';
import { RunFolder } from './run-folder.ts';
import { requireSameSoftware, type Software } from './software.ts';

const cyclesFolder = 'cycles';
const settingsName = 'site.json';
/** Names of the site's files and folders, except for the folder of the cycles. */
const siteNames = ['index.html', 'feed.xml', settingsName, 'pairs', 'services'];

const cycleSchema = z.object({
  /** Lines about the result, as on the terminal. */
  lines: z.array(z.string()).default([]),
  /** Sentence about the trials without a result. Null if every trial has a result. */
  missing: z.string().nullable().default(null),
  /** Comparison with the complete cycle before. Null if there is none, or if nothing can be compared. */
  comparison: z
    .object({
      with: z.string(),
      /** Number of paths in which versions, machine or plan differ. */
      differences: z.number(),
      /** Number of headline quantities of the conditions that were compared, and how many of them changed. */
      tested: z.number(),
      changed: z.number(),
    })
    .nullable()
    .default(null),
});

/** Description of a complete cycle on the index of its site. */
export type CycleResult = z.output<typeof cycleSchema>;

const settingsSchema = z.object({
  url: z.string().nullable().default(null),
  cycles: z.record(z.string(), cycleSchema),
});
type Settings = z.output<typeof settingsSchema>;

/** Returns the address of a cycle's folder, relative to the site's folder. */
export const cycleAddress = (name: string) => `${cyclesFolder}/${name}/`;

const folderOf = (path: string, name: string) => join(path, cyclesFolder, name);
const hasPlan = (path: string, name: string) => existsSync(join(folderOf(path, name), 'plan.json'));
const hasReport = (path: string, name: string) => existsSync(join(folderOf(path, name), 'report.html'));

function folderNames(path: string): string[] {
  const folder = join(path, cyclesFolder);
  // A symbolic link is not followed, since it leads out of the folder.
  if (!existsSync(folder) || !lstatSync(folder).isDirectory()) return [];
  const names = readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name);
  return names.filter(name => /^\d{4,}$/.test(name)).sort((a, b) => Number(a) - Number(b));
}

/**
 * Reads site.json. Earlier versions did not list the complete cycles; then every cycle with a report counts as complete.
 */
function settingsOf(path: string): Settings {
  const file = join(path, settingsName);
  let kept: unknown;
  try {
    kept = existsSync(file) ? readJson(file) : undefined;
  } catch {} // like a site without settings
  const parsed = settingsSchema.safeParse(kept);
  if (parsed.success) return parsed.data;
  const reported = folderNames(path).filter(name => hasReport(path, name));
  const { url } = Object(kept) as { url?: unknown };
  return {
    url: typeof url === 'string' ? url : null,
    cycles: Object.fromEntries(reported.map(name => [name, cycleSchema.parse({})])),
  };
}

function keep(path: string, changes: Partial<Settings>): void {
  writeWhole(join(path, settingsName), `${JSON.stringify({ ...settingsOf(path), ...changes })}\n`);
}

/** Stores the address of the published site in the folder, for later cycles. */
export const keepSiteUrl = (path: string, url: string) => keep(path, { url });

/** Returns the stored address. Null if no address is stored, or if it is none. */
export function keptSiteUrl(path: string): string | null {
  const { url } = settingsOf(path);
  try {
    return url === null ? null : siteUrl(url);
  } catch {
    return null;
  }
}

/** Marks a cycle as complete. */
export function keepCycle(path: string, name: string, result: Partial<CycleResult> = {}): void {
  keep(path, { cycles: { ...settingsOf(path).cycles, [name]: cycleSchema.parse(result) } });
}

export type CompleteCycle = CycleResult & { name: string; folder: string };

/** Returns every complete cycle, the oldest first. */
export function completeCycles(path: string): CompleteCycle[] {
  const { cycles } = settingsOf(path);
  return folderNames(path)
    .filter(name => Object.hasOwn(cycles, name) && hasPlan(path, name))
    .map(name => ({ name, folder: folderOf(path, name), ...cycles[name]! }));
}

/** Returns the folder of the newest cycle. Undefined if `path` is not the folder of a repeated study. */
export function lastCycle(path: string): string | undefined {
  const name = folderNames(path).findLast(one => hasPlan(path, one));
  return name === undefined ? undefined : folderOf(path, name);
}

/**
 * Returns the folder of the newest complete cycle of a repeated study, or of the newest cycle if none is complete.
 * Undefined if `path` is not the folder of a repeated study.
 */
export const runIn = (path: string): string | undefined => completeCycles(path).at(-1)?.folder ?? lastCycle(path);

/**
 * Returns the complete cycles before a cycle, the newest first. `folder`: run folder of the cycle. Empty if the run is
 * not a cycle of a repeated study.
 */
export function cyclesBefore(folder: string): CompleteCycle[] {
  const [path, name] = [resolve(folder), basename(resolve(folder))];
  if (basename(dirname(path)) !== cyclesFolder) return [];
  return completeCycles(dirname(dirname(path)))
    .filter(other => Number(other.name) < Number(name))
    .reverse();
}

/** Creates the folder of a site, if it does not exist. Throws `usage` if the folder contains files but no site. */
export function makeSite(path: string): void {
  try {
    const isOther =
      folderNames(path).length === 0 &&
      existsSync(path) &&
      readdirSync(path).some(name => ![cyclesFolder, ...siteNames].includes(name));
    if (isOther)
      throw new CoexistError('usage', `the folder ${path} is not empty`, {
        hint: 'choose another with --out, or go on with it by --resume',
      });
    makeOwnFolder(path, cyclesFolder);
    keep(path, {});
  } catch (error) {
    throw writeError(error, path);
  }
}

type OpenCycle<P> = {
  name: string;
  folder: RunFolder<P>;
  /** Line about something that the user may not expect. Null if there is nothing to report. */
  note: string | null;
};

/**
 * Continues the last cycle if it is incomplete and has the same plan; otherwise begins a new cycle. `software`: present
 * versions and file hashes. `again`: command that continues the study. Throws `bad-run-folder` if the incomplete cycle
 * began with other software, unless `despiteChanges` is set. A new cycle may have other software; its page reports the
 * change.
 */
export async function openCycle<P extends { format: unknown }>(
  path: string,
  plan: P,
  software: () => Promise<Software>,
  { again, despiteChanges = false }: { again: string; despiteChanges?: boolean },
): Promise<OpenCycle<P>> {
  // A folder without a plan is empty: its cycle was killed between the creation of the folder and that of the plan.
  for (const name of folderNames(path).filter(name => !hasPlan(path, name)))
    rmSync(folderOf(path, name), { recursive: true, force: true });
  const last = folderNames(path).at(-1);
  let note: string | null = null;
  if (last !== undefined && completeCycles(path).at(-1)?.name !== last) {
    // Also throws if another process uses the folder.
    const folder = RunFolder.resume<P>(folderOf(path, last), plan.format);
    const { plan: kept, ...before } = folder.planFile();
    if (isDeepStrictEqual(kept, JSON.parse(JSON.stringify(plan)))) {
      try {
        const changes = requireSameSoftware(before, await software(), { despiteChanges, again });
        return {
          name: last,
          folder,
          note: changes.length === 0 ? null : `changed since cycle ${last} began: ${changes.join('; ')}`,
        };
      } catch (error) {
        folder.release();
        throw error;
      }
    }
    folder.release();
    note = `cycle ${last} is not complete and has a different plan: it is kept, and a new cycle starts`;
  }
  const name = String(Number(last ?? 0) + 1).padStart(4, '0');
  return {
    name,
    note,
    folder: RunFolder.create<P>(folderOf(path, name), { plan, ...(await software()), createdMs: Date.now() }),
  };
}
