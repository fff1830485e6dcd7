/**
 * Plug-ins: folders whose `index.ts` exports a `plugin`. The loader lists the directory, so there is no central list to
 * edit. The folder's name is the plug-in's id.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { unknownName } from './text/nearest.ts';

export type Plugin = {
  /** Name of the plug-in's folder. */
  id: string;
  /** Name in lists for people. */
  title: string;
  /** Source of the behaviour: RFC or paper section, reference, "own". */
  source: string;
  /** Schema of the parameters: defaults, ranges and a sentence for each. */
  params: z.ZodType;
};

/**
 * Loads all plug-ins of a kind. `directory`: URL of the folder that holds them, with a final slash. Throws if a file
 * exports no plug-in or a wrong id.
 */
export async function loadPlugins<P extends Plugin>(directory: URL, kind: string): Promise<Map<string, P>> {
  const plugins = new Map<string, P>();
  const entries = await readdir(directory, { withFileTypes: true });
  for (const entry of entries.filter(e => e.isDirectory()).sort((a, b) => a.name.localeCompare(b.name, 'en'))) {
    const plugin = await loadPlugin<P>(directory, entry.name, kind);
    if (plugin !== undefined) plugins.set(entry.name, plugin);
  }
  return plugins;
}

/** Loads one plug-in. Undefined if the folder does not exist. */
export async function loadPlugin<P extends Plugin>(directory: URL, id: string, kind: string): Promise<P | undefined> {
  const file = new URL(`${id}/index.ts`, directory);
  if (!/^[\w-]+$/.test(id) || !existsSync(file)) return undefined;
  const module = (await import(file.href)) as { plugin?: P };
  if (module.plugin === undefined) throw new Error(`${fileURLToPath(file)} exports no plugin`);
  if (module.plugin.id !== id)
    throw new Error(`${fileURLToPath(file)}: the ${kind}'s id is "${module.plugin.id}", its folder "${id}"`);
  return module.plugin;
}

/** Returns the plug-in with this id. Throws `bad-definition` with a list of the known ids if there is none. */
export function pick<P extends Plugin>(plugins: ReadonlyMap<string, P>, id: string, kind: string): P {
  const plugin = plugins.get(id);
  if (plugin !== undefined) return plugin;
  throw unknownName('bad-definition', `there is no ${kind} named "${id}"`, id, [...plugins.keys()]);
}

/** Returns the chosen plug-in bound to its parameters, which were checked when it was chosen. */
export function boundOf<B>(
  plugins: ReadonlyMap<string, Plugin & { bound(params: unknown): B }>,
  { id, params }: { id: string; params: unknown },
  kind: string,
): B {
  return pick(plugins, id, kind).bound(params);
}
