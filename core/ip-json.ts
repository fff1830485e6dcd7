/** What `ip -json` prints, as far as it is read here. */
import { CoexistError } from './errors.ts';
import type { ErrorCode } from './errors.ts';
import { check, z } from './schema.ts';

const text = z.string();
const count = z.number().min(0);
const counted = z.looseObject({ bytes: count, packets: count });

/** `ip -s link show`. */
export const ipLinks = z.array(
  z.looseObject({
    ifname: text,
    stats64: z.looseObject({ rx: counted, tx: counted }).optional(),
  }),
);

/** `ip route show`, and `ip route get`. */
export const ipRoutes = z.array(
  z.looseObject({
    dst: text.optional(),
    dev: text.optional(),
    gateway: text.optional(),
    flags: z.array(text).optional(),
    cache: z.array(text).optional(),
  }),
);

/** `ip address show`. */
export const ipAddresses = z.array(
  z.looseObject({
    flags: z.array(text).optional(),
    mtu: count.optional(),
    addr_info: z
      .array(z.looseObject({ local: text.optional(), prefixlen: z.number().int().min(0).max(128).optional() }))
      .optional(),
  }),
);

/** Nothing is an empty list: older versions print nothing then. Throws `code` where it is something else. */
export function readIpJson<S extends z.ZodType>(
  stdout: string,
  schema: S,
  code: ErrorCode = 'command-failed',
): z.output<S> {
  let told: unknown;
  try {
    told = JSON.parse(stdout.trim() === '' ? '[]' : stdout);
  } catch (error) {
    throw new CoexistError(code, `"ip -json" printed ${JSON.stringify(stdout.slice(0, 80))}, which is not JSON`, {
      cause: error,
    });
  }
  return check(schema, told, 'what "ip -json" printed', code);
}
