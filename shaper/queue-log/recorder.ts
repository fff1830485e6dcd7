/** Records the queue log of a device: starts shaper/native/queue-log.c on a host and ends it. */
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
  /** Events lost on their way to the file: a log with lost events is not reliable. */
  lost: count,
  /**
   * Packets in the queues at the end whose enqueue is not in the file: the kernel skipped the program that reports it,
   * and the report at departure is still missing. The emulator's log has no such packets and lacks the field.
   */
  unreported: z.exactOptional(count),
  /** Processor time of the writer, user and system. */
  cpuMs: z.number().min(0),
});

/** End of a queue log, by the kernel's log or by the emulator. */
export type QueueLogEnd = Omit<z.output<typeof queueLogEnd>, 'cpuMs'>;

export type QueueLogRecorder = Recording<z.output<typeof queueLogEnd>>;

export const QueueLogRecorder = {
  /**
   * Starts the log of a device's queue; it has every event after this resolves. Throws `missing-kernel-feature` if
   * kernel or program do not support it.
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
