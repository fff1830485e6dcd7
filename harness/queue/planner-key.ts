/**
 * Signing key of a planner (Ed25519, RFC 8032). A worker runs only the orders of planners whose key it trusts. A
 * stranger who has the password of the database, but no trusted key, cannot make the worker run anything.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CoexistError, writeError } from '../../core/errors.ts';
import { object, z } from '../../core/schema/schema.ts';
import { makeFolder } from '../../core/system/folders.ts';
import { giveMade } from '../../core/system/ownership.ts';
import { shownValue } from '../../core/text/shown-value.ts';

/** Signed text. `key`: public key of the signer, base64url. `signature`: signature of the text, base64url. */
export type Signed = { text: string; key: string; signature: string };

/** Returns the path of the file with the user's key. */
const keyFile = () => process.env['COEXIST_PLANNER_KEY'] ?? join(homedir(), '.config/coexist/planner.pem');

const publicKey = (key: string) => createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });

/**
 * Makes a key. The public key is an argument on command lines. One key in 64 begins with `-` and would look like an
 * option, so such keys are discarded.
 */
function newKey(): KeyObject {
  for (;;) {
    const { privateKey } = generateKeyPairSync('ed25519');
    if (!nameOf(privateKey).startsWith('-')) return privateKey;
  }
}

const nameOf = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' }).x!;

export class PlannerKey {
  readonly #private: KeyObject;
  /** Public key in base64url, 43 characters. */
  readonly name: string;

  private constructor(key: KeyObject) {
    this.#private = key;
    this.name = nameOf(key);
  }

  /** Makes a key that exists only in this process. */
  static temporary(): PlannerKey {
    return new PlannerKey(newKey());
  }

  /** Reads the key of the user. Makes the key if there is no file. */
  static ofUser(path = keyFile()): PlannerKey {
    try {
      if (!existsSync(path)) {
        makeFolder(dirname(path));
        writeFileSync(path, newKey().export({ type: 'pkcs8', format: 'pem' }), {
          mode: 0o600,
          flag: 'wx',
        });
        giveMade(path); // under sudo the file is given to the user who called sudo
      }
    } catch (error) {
      throw writeError(error, path);
    }
    try {
      const key = createPrivateKey(readFileSync(path));
      if (key.asymmetricKeyType === 'ed25519') return new PlannerKey(key);
    } catch {
      // the error is thrown below
    }
    throw new CoexistError('usage', `${path} does not contain a readable Ed25519 private key`, {
      hint: 'restore the file; or delete it, run "npm run queue -- key", which makes a new key, and start all workers with that',
    });
  }

  sign(text: string): Signed {
    return { text, key: this.name, signature: sign(null, Buffer.from(text), this.#private).toString('base64url') };
  }
}

/** Returns the public key from a command line. Throws `usage` if the text is not a public key. */
export function checkedKeyName(text: string): string {
  try {
    if (/^[\w-]{43}$/.test(text) && publicKey(text).asymmetricKeyType === 'ed25519') return text;
  } catch {
    // the error is thrown below
  }
  throw new CoexistError('usage', `${JSON.stringify(text)} is not the public key of a planner`, {
    hint: '"npm run queue -- key" on the planner\'s machine prints it: 43 characters',
  });
}

const signedSchema = object({ text: z.string(), key: z.string(), signature: z.string() });

/** Returns the value if it is signed text; undefined if it is not. */
export const readSigned = (data: unknown): Signed | undefined => signedSchema.safeParse(data).data;

/** Returns the reason why a worker that trusts the keys `trusted` refuses the text; null if the worker accepts it. */
export function distrust({ text, key, signature }: Signed, trusted: ReadonlySet<string>): string | null {
  if (!trusted.has(key)) return `it is signed with the key ${shownValue(key)}, which is not in this worker's --trust`;
  return verify(null, Buffer.from(text), publicKey(key), Buffer.from(signature, 'base64url'))
    ? null
    : 'its signature is not valid';
}
