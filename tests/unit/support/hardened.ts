/** What readelf has to say of a native program, whatever language it is written in. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

const options = ['--file-header', '--program-headers', '--dynamic', '--symbols', '--wide'];

/** Why programs cannot be looked into here; false where they can. */
export const noReadelf =
  spawnSync('readelf', ['--version']).status === 0 ? false : 'needs readelf: apt-get install binutils';

/** Asserts it. `more`: signs beside those that every program has. */
export function requireHardened(program: string, more: Record<string, RegExp> = {}): void {
  const { stdout } = spawnSync('readelf', [...options, program], { encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
  for (const [what, sign] of Object.entries({
    'position-independent': /Type:\s+DYN/,
    'read-only tables': /GNU_RELRO/,
    'bound at its start': /BIND_NOW/,
    'no code on the stack': /GNU_STACK\s+(0x\w+\s+){5}RW\s/,
    ...more,
  }))
    assert.match(stdout, sign, `${program}: ${what}`);
}
