/**
 * Checks that our firewall rules still exist. A program that reloads its own rules may remove them: Debian's
 * nftables.conf begins with "flush ruleset", which removes all tables.
 */
import { run } from '../../core/command.ts';
import { CoexistError } from '../../core/errors.ts';
import { uplinkPrefix } from './masquerade.ts';
import type { FirewallProgram, MasqueradeOptions, Runner } from './masquerade.ts';

const everyMs = 1000;
const readMs = 5000;

/** What is there of them, line by line; null where there is nothing. Throws where the program does not answer. */
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

export class RulesWatch {
  readonly #read: () => Promise<string[] | null>;
  readonly #onLost: (error: CoexistError) => void;
  readonly #everyMs: number;
  #expected: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** `onLost` is called once, when a rule is no longer there that was there when the watch began. */
  constructor(read: () => Promise<string[] | null>, onLost: (error: CoexistError) => void, ms = everyMs) {
    this.#read = read;
    this.#onLost = onLost;
    this.#everyMs = ms;
  }

  /** Throws `no-internet` where the rules cannot be read. */
  async begin(): Promise<void> {
    const rules = await this.#read();
    if (rules === null || rules.length === 0)
      throw new CoexistError('no-internet', "the firewall's rules for the way to the Internet cannot be read", {
        hint: 'see what "nft list ruleset" says',
      });
    this.#expected = rules;
    this.#again();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #again(): void {
    this.#timer = setTimeout(() => void this.#look(), this.#everyMs).unref();
  }

  async #look(): Promise<void> {
    // a listing can fail while another program changes rules: what is missing twice is gone
    const isLost = (await this.#isMissing()) && (await this.#isMissing());
    if (this.#timer === undefined) return; // the end came meanwhile
    if (!isLost) return this.#again();
    this.end();
    this.#onLost(
      new CoexistError(
        'uplink-lost',
        'the firewall rules that keep the way to the Internet closed were removed, so the way was closed',
        { hint: 'another program loaded its rules anew, as "systemctl reload nftables" does: not during a study' },
      ),
    );
  }

  async #isMissing(): Promise<boolean> {
    const there = await this.#read().catch(() => this.#expected); // no answer says nothing: the next look asks again
    return there === null || this.#expected.some(rule => !there.includes(rule));
  }
}
