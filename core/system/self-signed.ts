/**
 * Makes a self-signed certificate for a server at each start: X.509 version 3 (RFC 5280, section 4.1) with a key on
 * P-256, in DER (ITU-T X.690). The certificate authenticates nothing. It is needed because browsers use HTTP/2 and
 * HTTP/3 over TLS only; they are configured to accept it.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';

/** Encodes a DER value: tag, length and content. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: readonly Buffer[]) => der(0x30, ...contents);
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const utcTime = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

/** Object identifiers: ecdsa-with-SHA256 (RFC 5758), commonName (X.520), subjectAltName (RFC 5280). */
const [ecdsaWithSha256, commonName, subjectAltName] = ['2a8648ce3d040302', '550403', '551d11'] as const;
const dayMs = 24 * 3600e3;

/**
 * Returns a new certificate for an IPv4 address, and its private key, as PEM texts. The certificate is valid from
 * yesterday for thirty days.
 */
export function selfSigned(address: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(identifier(ecdsaWithSha256));
  const name = sequence(der(0x31, sequence(identifier(commonName), der(0x0c, Buffer.from(address)))));
  const alternative = sequence(der(0x87, Buffer.from(address.split('.').map(Number)))); // [7] iPAddress
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])), // serial number: positive
    algorithm,
    name,
    sequence(utcTime(new Date(Date.now() - dayMs)), utcTime(new Date(Date.now() + 30 * dayMs))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(identifier(subjectAltName), der(0x04, alternative)))),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = certificate
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/**
 * Returns the hash by which Chromium identifies the key of a certificate: SHA-256 of its SubjectPublicKeyInfo, in
 * base64. `cert`: PEM text.
 */
export function keyHash(cert: string): string {
  return createHash('sha256')
    .update(new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}
