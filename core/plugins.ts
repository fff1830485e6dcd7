/**
 * Loads plug-ins. A plug-in is a folder whose `index.ts` exports an object `plugin`, and the folder's name is the
 * plug-in's id. The loader lists the parent folder, so there is no central list to edit.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { check } from './schema/schema.ts';
import { unknownName } from './text/nearest.ts';

export type Plugin = {
  /** Id of the plug-in, equal to the name of its folder. */
  id: string;
  /** Title of the plug-in in lists that people read. */
  title: string;
  /** Source of the plug-in's behaviour: RFC or paper with section, another reference, or "own". */
  source: string;
  /** Schema of the plug-in's parameters, with a default, a range and a sentence for each parameter. */
  params: z.ZodType;
};

/**
 * Loads all plug-ins of a kind. `directory`: URL of the folder that holds the plug-ins' folders, with a final slash.
 * Throws if an `index.ts` exports no plug-in, or a plug-in whose id is not the folder's name.
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

/** Loads one plug-in. Returns undefined if no folder with this name has an `index.ts`. */
export async function loadPlugin<P extends Plugin>(directory: URL, id: string, kind: string): Promise<P | undefined> {
  const file = new URL(`${id}/index.ts`, directory);
  if (!/^[\w-]+$/.test(id) || !existsSync(file)) return undefined;
  const module = (await import(file.href)) as { plugin?: P };
  if (module.plugin === undefined) throw new Error(`${fileURLToPath(file)} exports no plugin`);
  if (module.plugin.id !== id)
    throw new Error(`${fileURLToPath(file)}: the ${kind}'s id is "${module.plugin.id}", its folder "${id}"`);
  return module.plugin;
}

/** Returns the plug-in with this id. Throws `bad-definition` with the known ids if no plug-in has the id. */
export function pick<P extends Plugin>(plugins: ReadonlyMap<string, P>, id: string, kind: string): P {
  const plugin = plugins.get(id);
  if (plugin !== undefined) return plugin;
  throw unknownName('bad-definition', `there is no ${kind} named "${id}"`, id, [...plugins.keys()]);
}

/** A plug-in to other code: only a handle `B` that is bound to parameters calls its functions. */
export type Bindable<B> = Plugin & {
  /**
   * Checks parameters from a definition and binds the plug-in to them. Throws `bad-definition` if they are wrong.
   * `what`: name of the plug-in in the error.
   */
  bind(written: unknown, what: string): B;
  /** Binds the plug-in to parameters that are already checked, such as those of a plan. */
  bound(params: unknown): B;
};

/** Returns the plug-in without its own functions. `bound`: returns the handle for checked parameters. */
export function bindable<B>({ id, title, source, params }: Plugin, bound: (params: unknown) => B): Bindable<B> {
  return { id, title, source, params, bound, bind: (written, what) => bound(check(params, written, what)) };
}

/** Loads all plug-ins of a kind as `loadPlugins` does. `of`: makes each plug-in bindable. */
export async function loadBindable<P extends Plugin, B extends Plugin>(
  directory: URL,
  kind: string,
  of: (plugin: P) => B,
): Promise<Map<string, B>> {
  return new Map([...(await loadPlugins<P>(directory, kind))].map(([id, plugin]) => [id, of(plugin)]));
}

/** Returns the plug-in with this id, bound to `params`. The caller has checked the parameters. */
export function boundOf<B>(
  plugins: ReadonlyMap<string, Bindable<B>>,
  { id, params }: { id: string; params: unknown },
  kind: string,
): B {
  return pick(plugins, id, kind).bound(params);
}
