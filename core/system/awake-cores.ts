/**
 * Keeps the processors from sleeping while something is measured.
 *
 * An idle core sleeps and takes time to wake up. The sleeping core of a virtual machine is given back to the
 * hypervisor, which lets other guests run on it: the time that a wake-up then waits is counted as stolen. Linux bounds
 * this by PM QoS (Documentation/power/pm_qos_interface.rst): a number written to /dev/cpu_dma_latency is the longest
 * time that a core may take to wake up, for as long as the file is open. So the setting ends with this process.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

const device = '/dev/cpu_dma_latency';

/**
 * In a virtual machine cores do not sleep at all; on hardware they may take the lightest sleep, which costs 1 or 2 us and
 * spares a core beside them on the same chip.
 */
const longestWakeUpUs = { virtual: 0, hardware: 2 };

/** True in a virtual machine, as its processor tells it. */
function isVirtual(): boolean {
  try {
    return /^flags\s*:.* hypervisor( |$)/m.test(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return false;
  }
}

type AwakeCores = {
  /** False where this machine lets nobody, or not this user, keep them awake. */
  areAwake: boolean;
  release(): void;
};

/** Until `release`, or the end of this process. `file`: of another device, for tests. */
export function keepCoresAwake(file = device): AwakeCores {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r+'); // not there: not made
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(isVirtual() ? longestWakeUpUs.virtual : longestWakeUpUs.hardware);
    writeSync(descriptor, bytes);
  } catch {
    if (descriptor !== undefined) closeSync(descriptor);
    return { areAwake: false, release: () => {} };
  }
  let held: number | undefined = descriptor;
  return {
    areAwake: true,
    release() {
      if (held !== undefined) closeSync(held);
      held = undefined;
    },
  };
}

export function canKeepCoresAwake(): boolean {
  const { areAwake, release } = keepCoresAwake();
  release();
  return areAwake;
}
