/**
 * Watches the process that started this command (harness/setup/run.mjs). Under sudo, signals to the starting process do
 * not reach this process, and its death is not reported.
 */
import { type ProcessId, stateOf } from '../../core/system/process-id.ts';

const everyMs = 500;

/**
 * Returns the process that started this command, from the text that harness/setup/run.mjs passes. Undefined if the text
 * names no process, because the command was then started directly.
 */
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
 * Calls `onEnd` once when the process `parent` has ended. Never calls it if that process cannot be observed. The timer
 * does not keep Node running.
 */
export function watchParent(parent: ProcessId | undefined, onEnd: () => void): void {
  if (parent === undefined) return;
  const timer = setInterval(() => {
    if (stateOf(parent) !== 'ended') return;
    clearInterval(timer);
    onEnd();
  }, everyMs).unref();
}
