/**
 * Watches the process that started this command (harness/setup/run.mjs). Under sudo, signals to that process do not
 * reach this one, and its death is not reported.
 */
import { type ProcessId, stateOf } from '../../core/system/process-id.ts';

const everyMs = 500;

/** Undefined if the text names no process, since the command was then started directly. */
export function parentOf(text: string | undefined): ProcessId | undefined {
  try {
    const { pid, startTicks, pidNamespace } = JSON.parse(text ?? '') as Partial<ProcessId>;
    return typeof pid !== 'number' || typeof startTicks !== 'number'
      ? undefined
      : { pid, startTicks, ...(typeof pidNamespace === 'string' ? { pidNamespace } : {}) };
  } catch {
    return undefined;
  }
}

/**
 * Calls `onEnd` once when that process has ended; never if it cannot be observed. The timer does not keep Node running.
 */
export function watchParent(parent: ProcessId | undefined, onEnd: () => void): void {
  if (parent === undefined) return;
  const timer = setInterval(() => {
    if (stateOf(parent) !== 'ended') return;
    clearInterval(timer);
    onEnd();
  }, everyMs).unref();
}
