/** Messages from the page's controls. They are checked before they are carried out. */

import { integer, object, queueLimit, rate, ratio, text, z } from '../../core/schema/schema.ts';
import { type Invalid, readMessage } from '../../core/text/message.ts';

/** Size limit of a message, bytes. The longest valid message is much smaller. */
export const maxMessageBytes = 1024;

/** Schema of a change. Its limits are those of a definition (harness/definition/link.ts, harness/services/iperf). */
const changeSchema = z.discriminatedUnion('setting', [
  set(
    'flood',
    text()
      .max(32, { error: 'is too long for the name of a congestion control' })
      .regex(/^[a-z0-9_-]+$/, { error: 'is not the name of a congestion control' }),
  ),
  set(
    'flows',
    z
      .string()
      .regex(/^\d{1,3}$/, { error: 'is not a whole number' })
      .transform(Number)
      .pipe(integer({ min: 1, max: 64 })),
  ),
  set('rate', rate({ min: 64e3, max: 10e9 })),
  set('queue', queueLimit()),
  set('loss', ratio({ min: 0, max: 0.9 })),
]);

function set<S extends string, V extends z.ZodType>(setting: S, value: V) {
  return object({ type: z.literal('set'), setting: z.literal(setting), value });
}

export type Change = z.output<typeof changeSchema>;

export function readControlMessage(data: Buffer, isBinary: boolean): Change | Invalid {
  return readMessage(changeSchema, data, isBinary);
}
