/**
 * Plug-ins: a folder whose `index.ts` exports one `plugin`. The loader lists the directory; there is no
 * central list to edit. The folder's name is the plug-in's id.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { unknownName } from './text/nearest.ts';

/** What every plug-in says of itself. */
export type Plugin = {
  /** The folder's name. */
  id: string;
  /** What a person reads in a list. */
  title: string;
  /** Where the behaviour comes from: RFC or paper section, reference, "own". */
  source: string;
  /** What may be set, with defaults, ranges and a sentence each. */
  params: z.ZodType;
};

/** Loads every plug-in of one kind. `directory` is the URL of the folder that holds them, with a final slash. */
export async function loadPlugins<P extends Plugin>(directory: URL, kind: string): Promise<Map<string, P>> {
  const plugins = new Map<string, P>();
  const entries = await readdir(directory, { withFileTypes: true });
  for (const entry of entries.filter(e => e.isDirectory()).sort((a, b) => a.name.localeCompare(b.name, 'en'))) {
    const plugin = await loadPlugin<P>(directory, entry.name, kind);
    if (plugin !== undefined) plugins.set(entry.name, plugin);
  }
  return plugins;
}

/** Loads one of them; undefined where there is no such folder. */
export async function loadPlugin<P extends Plugin>(directory: URL, id: string, kind: string): Promise<P | undefined> {
  const file = new URL(`${id}/index.ts`, directory);
  if (!/^[\w-]+$/.test(id) || !existsSync(file)) return undefined;
  const module = (await import(file.href)) as { plugin?: P };
  if (module.plugin === undefined) throw new Error(`${fileURLToPath(file)} exports no plugin`);
  if (module.plugin.id !== id)
    throw new Error(`${fileURLToPath(file)}: the ${kind}'s id is "${module.plugin.id}", its folder "${id}"`);
  return module.plugin;
}

/** The plug-in of that id, or an error that lists what there is. */
export function pick<P extends Plugin>(plugins: ReadonlyMap<string, P>, id: string, kind: string): P {
  const plugin = plugins.get(id);
  if (plugin !== undefined) return plugin;
  throw unknownName('bad-definition', `there is no ${kind} named "${id}"`, id, [...plugins.keys()]);
}

/** A choice as its plug-in does it: bound to the parameters that were checked when it was chosen. */
export function boundOf<B>(
  plugins: ReadonlyMap<string, Plugin & { bound(params: unknown): B }>,
  { id, params }: { id: string; params: unknown },
  kind: string,
): B {
  return pick(plugins, id, kind).bound(params);
}
