/**
 * The interface through which all other code uses an AQM. Only this file calls the functions of a plug-in with
 * parameters.
 */
import { type Bindable, bindable, loadBindable } from '../../core/plugins.ts';
import type { DropLaw } from '../../core/vocabulary/drop-law.ts';
import type { AqmLimit, AqmPlugin, EmulatedAqm, ShellQueue } from './aqm.ts';

/** An AQM together with its checked parameters. See `AqmPlugin` for the members. */
export type BoundAqm = {
  title: string;
  tc(limit: AqmLimit): ReturnType<AqmPlugin['tc']>;
  emulated: EmulatedAqm | null;
  /** Queue of mm-link, or the reason why mm-link does not have it. */
  shell: ShellQueue | string;
  /** Null: the law is unknown. */
  law(largestBytes: number): DropLaw | null;
  holds(limit: AqmLimit): number;
  refuse(limit: AqmLimit): string | null;
};

export type Aqm = Bindable<BoundAqm>;

function aqmOf(plugin: AqmPlugin): Aqm {
  return bindable(plugin, params => ({
    title: plugin.title,
    tc: limit => plugin.tc(params, limit),
    emulated: plugin.emulate(params),
    shell: plugin.shell?.(params) ?? `mm-link has no ${plugin.title}`,
    law: largestBytes => plugin.law?.(params, largestBytes) ?? null,
    holds: limit => plugin.holds?.(limit) ?? limit.packets,
    refuse: limit => plugin.refuse?.(limit) ?? null,
  }));
}

export function loadAqms(): Promise<Map<string, Aqm>> {
  return loadBindable(new URL('./', import.meta.url), 'AQM', aqmOf);
}
