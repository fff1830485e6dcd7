/**
 * Computes the id of a job in the queue. The same try of a trial always has the same id, so that a restarted planner
 * finds the jobs that it sent before.
 */
import { createHash } from 'node:crypto';

/**
 * Values that identify a job. `sending`: 1 for the first job of a try, and one more each time the planner has refused a
 * record of the try.
 */
type JobName = { run: string; trial: string; attempt: number; sending: number };

/** Namespace for the UUIDs of jobs. It is a random constant. */
const namespace = Buffer.from('6f0a54c1b1d24c0b9b8a6f2f3f5d7c11', 'hex');

/** Returns the id of a job, a UUID of version 5 (RFC 9562, section 5.5). */
export function jobId({ run, trial, attempt, sending }: JobName): string {
  const bytes = createHash('sha1')
    .update(namespace)
    .update(JSON.stringify([run, trial, attempt, sending]))
    .digest()
    .subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
