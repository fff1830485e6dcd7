/** Whether the kernel can have this project's BBRv3 for a test alone. */
import { CoexistError } from '../../../core/errors.ts';
import { checkBbr3, registeredBbr3 } from '../../../shaper/bbr3/loader.ts';

/**
 * Why a test cannot load BBRv3, or undefined where it can. The kernel has it once, whatever the namespace and the
 * folder of leases: one that another run has loaded, on this machine or beside it in another container, is not the
 * test's to replace.
 */
export async function whyNoBbr3(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'needs root';
  try {
    await checkBbr3();
    return (await registeredBbr3()) === undefined ? undefined : 'bbr3 is loaded already, and not by this test';
  } catch (error) {
    return error instanceof CoexistError ? error.message : String(error);
  }
}
