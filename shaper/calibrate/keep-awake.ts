/**
 * Keeps the processors of a virtual machine from idling while a link is proved (coexist-probe awake): a hypervisor
 * gives an idle processor to other guests, and threads are then woken late. In a trial, stream and browser keep the
 * processors busy. On a physical machine this is not needed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { childEnvironment } from '../../core/system/child-environment.ts';
import { Child } from '../../core/system/command.ts';
import { within } from '../../core/system/deadline.ts';
import { probeProgram } from './probe.ts';

/** True on a guest, by what the processor says of itself (x86), unless COEXIST_KEEP_AWAKE is 0. */
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

  /** Null where nothing has to be kept, or the program is not there. It ends with the harness, however that ends. */
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
