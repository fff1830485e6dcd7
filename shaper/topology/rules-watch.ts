/**
 * Checks that the project's firewall rules still exist. A program that reloads its own rules may remove them: Debian's
 * nftables.conf begins with "flush ruleset", which removes all tables.
 */

import { CoexistError } from '../../core/errors.ts';
import { run } from '../../core/system/command.ts';
import { type FirewallProgram, type MasqueradeOptions, type Runner, uplinkPrefix } from './masquerade.ts';
import type { Look } from './watch.ts';

const readMs = 5000;

/**
 * Returns the lines of the existing rules; null if there are no rules. Throws if the firewall program does not answer.
 */
export async function rulesThere(
  program: FirewallProgram,
  { name, network }: Pick<MasqueradeOptions, 'name' | 'network'>,
  runner: Runner = run,
): Promise<string[] | null> {
  const listings =
    program === 'nft'
      ? [['nft', 'list', 'table', 'ip', name]]
      : [
          ['iptables', '-w', '-S'],
          ['iptables', '-w', '-t', 'nat', '-S'],
        ];
  const lines: string[] = [];
  for (const argv of listings) {
    const { status, signal, stdout } = await runner(argv, { allowFailure: true, timeoutMs: readMs });
    if (signal !== null) throw new CoexistError('timed-out', `${program} does not answer`);
    if (status !== 0) return null;
    lines.push(...stdout.split('\n'));
  }
  if (program === 'nft') return lines;
  const ours = [name, `${uplinkPrefix}+`, network];
  return lines.filter(line => ours.some(word => line.split(' ').includes(word)));
}

const lost = () =>
  new CoexistError(
    'uplink-lost',
    'the firewall rules that restrict the Internet access of the clients were removed, so this access was closed',
    { hint: 'do not reload firewall rules during a study, as "systemctl reload nftables" does' },
  );

/**
 * Returns a look that detects the removal of a rule. A listing can fail while another program changes rules, so the
 * caller needs a second look. Throws `no-internet` if the rules cannot be read at the start.
 */
export async function lookAtRules(read: () => Promise<string[] | null>): Promise<Look> {
  const expected = await read();
  if (expected === null || expected.length === 0)
    throw new CoexistError('no-internet', 'the firewall rules for the Internet access of the clients cannot be read', {
      hint: 'see what "nft list ruleset" says',
    });
  return async () => {
    const there = await read();
    return there === null || expected.some(rule => !there.includes(rule)) ? lost() : undefined;
  };
}
