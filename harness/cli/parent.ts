/**
 * The process that started this command (harness/setup/run.mjs). Under sudo, signals sent to that process do not reach
 * this one, and nobody forwards that it was killed.
 */
import { type ProcessId, stateOf } from '../../core/system/process-id.ts';

const everyMs = 500;

/** Undefined where the text names no process: the command was started by itself. */
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

/** Calls `onEnd` once, when that process has ended; never where it cannot be seen from here. Holds up nobody's end. */
export function watchParent(parent: ProcessId | undefined, onEnd: () => void): void {
  if (parent === undefined) return;
  const timer = setInterval(() => {
    if (stateOf(parent) !== 'ended') return;
    clearInterval(timer);
    onEnd();
  }, everyMs).unref();
}
