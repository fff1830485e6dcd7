/** What processes use now. */
import { ProcessUse } from '../../../../harness/trial/browser/process-use.ts';
import type { Use } from '../../../../harness/trial/browser/use.ts';

/** Of a process and all that it has started, counted exactly; nothing where it has ended. `most`: looks of the reading. */
export const useOf = (pid: number, most?: number): Promise<Use> => new ProcessUse(pid, -1, most).read();
