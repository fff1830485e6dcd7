/**
 * Keeps the processors awake during a measurement.
 *
 * An idle core sleeps and takes time to wake up. In a virtual machine a sleeping core goes back to the hypervisor,
 * which runs other guests on it; the delay of the wake-up then counts as stolen time. Linux bounds the wake-up time by
 * PM QoS (Documentation/power/pm_qos_interface.rst): a number written to /dev/cpu_dma_latency is the longest permitted
 * wake-up time while the file is open. So the setting ends with this process.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

const device = '/dev/cpu_dma_latency';

/**
 * Longest permitted wake-up time, us. In a virtual machine 0, so that cores do not sleep at all. On hardware 2, which
 * permits the lightest sleep: it costs 1 or 2 us and relieves the neighbouring cores of the chip.
 */
const longestWakeUpUs = { virtual: 0, hardware: 2 };

/** True if the processor's flags say that this is a virtual machine. */
function isVirtual(): boolean {
  try {
    return /^flags\s*:.* hypervisor( |$)/m.test(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return false;
  }
}

type AwakeCores = {
  /** True if the cores stay awake. False if the machine or the rights of this user do not permit the setting. */
  areAwake: boolean;
  release(): void;
};

/**
 * Keeps the cores awake until `release` is called or this process ends. `file`: path that tests use instead of the
 * device.
 */
export function keepCoresAwake(file = device): AwakeCores {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r+'); // r+ does not create a missing file
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
