/** The signalling messages between page and server, checked before anything is done with them. */

import { object, z } from '../../core/schema/schema.ts';
import { type Invalid, readMessage } from '../../core/text/message.ts';

/** A whole SDP of one video section is 3 to 6 kB. */
export const maxMessageBytes = 64 * 1024;

const clientMessageSchema = z.discriminatedUnion('type', [
  object({ type: z.literal('offer'), sdp: z.string().min(10).max(maxMessageBytes).startsWith('v=0') }),
  object({ type: z.literal('bye') }),
]);

type ClientMessage = z.output<typeof clientMessageSchema>;
export type ServerMessage = { type: 'answer'; sdp: string } | { type: 'error'; message: string };

/** The message, or what is wrong with it. `data` is one whole WebSocket message. */
export function readClientMessage(data: Buffer, isBinary: boolean): ClientMessage | Invalid {
  return readMessage(clientMessageSchema, data, isBinary);
}
