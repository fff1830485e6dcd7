/**
 * Reads settings of the machine and of the hosts (core/system/machine-settings.ts), and returns notes about unwanted
 * ones. The settings of a host are read once, since nothing in a study changes them. The settings of the machine are
 * read before each trial, since an unplugged laptop changes its frequency governor.
 */
import type { Host } from '../../core/system/host.ts';
import { readMachineSettings, unwanted } from '../../core/system/machine-settings.ts';
import { differences } from '../../shaper/topology/kernel-settings.ts';
import type { Finding, SettingsReading } from '../record/trial-file.ts';

export class HostSettings {
  readonly #machine: Pick<Host, 'run'>;
  readonly #ofHosts = new WeakMap<object, Promise<string[]>>();

  /** `machine`: this machine itself. A host in a namespace does not see all settings of the machine. */
  constructor(machine: Pick<Host, 'run'>) {
    this.#machine = machine;
  }

  /** Reads the settings of the machine and of the hosts that a trial uses. */
  async read(hosts: readonly Pick<Host, 'name' | 'run'>[]): Promise<SettingsReading> {
    const [machine, ...differing] = await Promise.all([
      readMachineSettings(this.#machine),
      ...[...new Set(hosts)].map(host => this.#differencesOf(host)),
    ]);
    return { machine, differences: differing.flat() };
  }

  #differencesOf(host: Pick<Host, 'name' | 'run'>): Promise<string[]> {
    const known = this.#ofHosts.get(host);
    if (known !== undefined) return known;
    const reading = differences(host);
    this.#ofHosts.set(host, reading);
    reading.catch(() => this.#ofHosts.delete(host)); // reported to the caller; the next trial reads again
    return reading;
  }
}

const note = (message: string): Finding => ({ kind: 'host', status: 'note', message });

export function settingsFindings({ machine, differences: differing }: SettingsReading): Finding[] {
  return [...unwanted(machine).map(text => note(`a setting of this machine: ${text}`)), ...differing.map(note)];
}
