/** Asks a native program whether this machine can load its BPF object. The program holds nothing afterwards. */
import { messageOf } from '../../core/errors.ts';
import type { Host } from '../../core/system/host.ts';

/**
 * Throws the error that `refusal` makes of a reason if the machine cannot load the object. The reason is the last line of
 * the program's standard error, because libbpf prints details before it.
 */
export async function checkProgram(
  machine: Host,
  program: string,
  object: string,
  refusal: (reason: string) => Error,
): Promise<void> {
  let reason: string;
  try {
    const argv = [await machine.give(program), 'check', await machine.give(object)];
    const { status, signal, stderr } = await machine.run(argv, { allowFailure: true });
    if (status === 0) return;
    reason = stderr.trim().split('\n').at(-1) || `it ended with ${signal ?? `status ${status}`}`;
  } catch (error) {
    reason = messageOf(error);
  }
  throw refusal(reason);
}
