/** Records the queue log of a device: starts and ends shaper/native/queue-log.c on a host. */
import { fileURLToPath } from 'node:url';
import { z } from '../../core/schema/schema.ts';
import type { Host } from '../../core/system/host.ts';
import { Recording } from '../recording/recording.ts';

const build = new URL('../native/build/', import.meta.url);
export const queueLogLoader = fileURLToPath(new URL('coexist-qlog', build));
export const queueLogObject = fileURLToPath(new URL('queue-log.bpf.o', build));

const count = z.int().min(0);

export const queueLogEnd = z.object({
  records: count,
  /** Number of events lost on their way to the file. A log with lost events is not reliable. */
  lost: count,
  /**
   * Packets that are in the queues at the end and whose enqueue is not in the file. The kernel skipped the program that
   * reports the enqueue, and the packet has not departed, which would report it as well. The emulator's log has no such
   * packets and lacks the field.
   */
  unreported: z.exactOptional(count),
  /** Processor time of the program that writes the log, user and system, ms. */
  cpuMs: z.number().min(0),
});

/** Report at the end of a queue log, from the kernel's log or from the emulator. */
export type QueueLogEnd = Omit<z.output<typeof queueLogEnd>, 'cpuMs'>;

export type QueueLogRecorder = Recording<z.output<typeof queueLogEnd>>;

export const QueueLogRecorder = {
  /**
   * Starts the log of a device's queue. The log contains every event from the moment when this resolves. Throws
   * `missing-kernel-feature` if the kernel or the program does not support the log.
   */
  start: async (host: Host, device: string, file: string): Promise<QueueLogRecorder> =>
    Recording.start(host, {
      name: 'the queue log',
      argv: [await host.give(queueLogLoader), await host.give(queueLogObject), device, host.placeOf(file)],
      file,
      end: queueLogEnd,
      needs: 'root and a kernel of 6.1 or newer with BPF, BTF and trace points, not in lockdown',
    }),
};
