/** Takes away the TCP congestion controls that a run put into the kernel. */
import { bbr3Name, unloadBbr3 } from '../../shaper/bbr3/loader.ts';

/** Returns those that were there. One that cannot be taken away stays: it harms nobody, and nothing else may fail by it. */
export async function removeCongestionControls(names: readonly string[]): Promise<string[]> {
  if (!names.includes(bbr3Name)) return [];
  try {
    return await unloadBbr3() ? [bbr3Name] : [];
  } catch {
    return [];
  }
}
