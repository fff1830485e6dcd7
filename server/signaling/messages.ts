/** Signalling messages between page and server, and their validation. */

import { object, z } from '../../core/schema/schema.ts';
import { type Invalid, readMessage } from '../../core/text/message.ts';

/** Largest message, bytes. An SDP with one video section has 3 to 6 kB. */
export const maxMessageBytes = 64 * 1024;

const clientMessageSchema = z.discriminatedUnion('type', [
  object({ type: z.literal('offer'), sdp: z.string().min(10).max(maxMessageBytes).startsWith('v=0') }),
  object({ type: z.literal('bye') }),
]);

type ClientMessage = z.output<typeof clientMessageSchema>;
export type ServerMessage = { type: 'answer'; sdp: string } | { type: 'error'; message: string };

/** Validates one whole WebSocket message; returns the message, or the reason why it is invalid. */
export function readClientMessage(data: Buffer, isBinary: boolean): ClientMessage | Invalid {
  return readMessage(clientMessageSchema, data, isBinary);
}
