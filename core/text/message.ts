/** Reading a message of a WebSocket: JSON text of a known form, or what is wrong with it. */
import type { z } from '../schema/schema.ts';

export type Invalid = { type: 'invalid'; reason: string };

/** `data` is one whole message. */
export function readMessage<S extends z.ZodType>(schema: S, data: Buffer, isBinary: boolean): z.output<S> | Invalid {
  if (isBinary) return { type: 'invalid', reason: 'messages are text' };
  let value: unknown;
  try {
    value = JSON.parse(data.toString());
  } catch {
    return { type: 'invalid', reason: 'not JSON' };
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  return { type: 'invalid', reason: `${issue.path.join('.') || 'message'}: ${issue.message}` };
}
