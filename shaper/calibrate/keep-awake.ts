/**
 * Keeps the processors of a virtual machine busy while a link is proved (coexist-probe awake): a hypervisor gives an
 * idle processor to other guests, and threads then wake late. In a trial, stream and browser keep the processors busy.
 * A physical machine does not need this.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { childEnvironment } from '../../core/system/child-environment.ts';
import { Child } from '../../core/system/command.ts';
import { within } from '../../core/system/deadline.ts';
import { probeProgram } from './probe.ts';

/** True if this machine is a virtual guest by the processor's flags (x86), unless COEXIST_KEEP_AWAKE is 0. */
export function mayRest(
  cpuinfo = readFileSync('/proc/cpuinfo', 'utf8'),
  asked = process.env['COEXIST_KEEP_AWAKE'],
): boolean {
  return asked !== '0' && /^flags\s*:.*\bhypervisor\b/m.test(cpuinfo);
}

export class KeepAwake {
  readonly #child: Child;

  private constructor(child: Child) {
    this.#child = child;
  }

  /**
   * Starts the program. Returns null if it is not needed or not built. The program ends with the harness, even if the
   * harness is killed.
   */
  static async start(): Promise<KeepAwake | null> {
    if (!mayRest() || !existsSync(probeProgram)) return null;
    const child = new Child(
      'keep awake',
      spawn(probeProgram, ['awake'], { stdio: ['pipe', 'pipe', 'ignore'], detached: true, env: childEnvironment() }),
    );
    await within(
      Promise.race([once(child.process.stdout!, 'data'), child.ended]),
      5000,
      'coexist-probe to keep the processors awake',
    );
    return new KeepAwake(child);
  }

  async stop(): Promise<void> {
    await this.#child.stop();
  }
}
