/** Parses a WebSocket message: JSON text that must match a schema. */
import type { z } from '../schema/schema.ts';

export type Invalid = { type: 'invalid'; reason: string };

/** Returns the message as parsed by the schema, or the reason why it is invalid. `data`: the whole message. */
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
