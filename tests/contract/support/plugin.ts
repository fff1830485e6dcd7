/** What every plug-in has to keep, of whatever kind. */
import assert from 'node:assert/strict';
import type { Plugin } from '../../../core/plugins.ts';
import { z } from '../../../core/schema/schema.ts';

/** Units that reports know how to show. */
export const units = ['bit/s', 'ms', 's', '1/s', '1/min', 'px', 'dB', 'ratio', 'cores', 'bytes', ''];

export function saysWhatItIs(plugin: Plugin, folder: string): void {
  assert.equal(plugin.id, folder);
  assert.match(plugin.id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
  assert.ok(plugin.title.trim().length > 0, 'title must not be empty');
  assert.ok(plugin.source.trim().length > 0, 'source must not be empty');
}

/**
 * Parameters have defaults and descriptions, refuse what they do not know, and mean the same after a trip through a
 * plan.
 */
export function hasSoundParameters(plugin: Plugin): void {
  const defaults = plugin.params.parse({});
  assert.deepEqual(plugin.params.parse({}), defaults, 'the defaults differ from call to call');
  assert.deepEqual(JSON.parse(JSON.stringify(defaults)), defaults, 'the defaults do not survive JSON');
  assert.ok(plugin.params instanceof z.ZodObject, 'parameters are an object');
  const shape = plugin.params.shape as Record<string, z.ZodType>;
  for (const [name, field] of Object.entries(shape)) {
    assert.match(name, /^[a-z][A-Za-z0-9]*$/, `${name} is no name of a parameter: write it as in maxBitrate`);
    assert.ok((field.description ?? '').trim().length > 0, `${name} has no description`);
  }
  const refused = plugin.params.safeParse({ noSuchParameter: 1 });
  assert.ok(
    !refused.success && /unknown key "noSuchParameter"/.test(refused.error.issues[0]!.message),
    'an unknown parameter is accepted; make params with object() of core/schema/schema.ts',
  );
  for (const name of Object.keys(shape))
    assert.equal(
      plugin.params.safeParse({ [name]: { no: ['such', 'value'] } }).success,
      false,
      `${name} takes anything`,
    );
}
