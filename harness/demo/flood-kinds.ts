/** The congestion controls that a flood may have on this machine. */
import { messageOf } from '../../core/errors.ts';
import type { ServicePlugin } from '../services/service.ts';

export type FloodKind = {
  /** What a definition calls it. */
  name: string;
  label: string;
  /** Why this machine has it not; null where it has. */
  obstacle: string | null;
};

/** What the demonstration offers, and what people call it. */
const known: Readonly<Record<string, string>> = { bbr3: 'BBRv3', bbr: 'BBR', cubic: 'CUBIC', reno: 'Reno' };

/** Each kind is tried as a study would; `first` is offered, too, where it is none of the usual ones. */
export function findFloodKinds({ check }: Pick<ServicePlugin, 'check'>, first: string | null): Promise<FloodKind[]> {
  const names = [...new Set([...Object.keys(known), ...(first === null ? [] : [first])])];
  return Promise.all(
    names.map(async name => {
      const label = Object.hasOwn(known, name) ? known[name]! : name;
      try {
        await check({ congestionControl: name } as never, true);
        return { name, label, obstacle: null };
      } catch (error) {
        return { name, label, obstacle: messageOf(error) };
      }
    }),
  );
}
