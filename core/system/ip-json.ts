/** Schemas for the output of `ip -json`, with the fields that Coexist reads. */
import type { ErrorCode } from '../errors.ts';
import { z } from '../schema/schema.ts';
import { readPrintedJson } from './printed-json.ts';

const text = z.string();
const count = z.number().min(0);
const counted = z.looseObject({ bytes: count, packets: count, dropped: count.optional() });

/** Schema of the output of `ip -s link show`. */
export const ipLinks = z.array(
  z.looseObject({
    ifname: text,
    /** Kind of the link layer: `ether`, or `none` for a TUN device. */
    link_type: text.optional(),
    stats64: z.looseObject({ rx: counted, tx: counted }).optional(),
  }),
);

/** Schema of the output of `ip route show` and `ip route get`. */
export const ipRoutes = z.array(
  z.looseObject({
    dst: text.optional(),
    dev: text.optional(),
    gateway: text.optional(),
    flags: z.array(text).optional(),
    cache: z.array(text).optional(),
  }),
);

/** Schema of the output of `ip address show`. */
export const ipAddresses = z.array(
  z.looseObject({
    flags: z.array(text).optional(),
    mtu: count.optional(),
    addr_info: z
      .array(z.looseObject({ local: text.optional(), prefixlen: z.number().int().min(0).max(128).optional() }))
      .optional(),
  }),
);

/** Parses the output of `ip -json`. Throws an error with the code `code` if the output does not match the schema. */
export const readIpJson = <S extends z.ZodType>(stdout: string, schema: S, code?: ErrorCode): z.output<S> =>
  readPrintedJson('ip -json', stdout, schema, code);
