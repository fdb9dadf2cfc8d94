// A device with a passkey, in software: it answers as a browser does, and can lie about its site and its counter.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface Lies {
  /** The site that the device and the browser say it is. */
  origin?: string;
  rpId?: string;
  /** The number of signatures that the device reports. */
  counter?: number;
  /** The format of the attestation, and whether it has certificates. */
  format?: string;
  hasCertificates?: boolean;
  /** Whether the device checked who holds it. */
  isUserVerified?: boolean;
}

/** The options in the button of a page. */
export function passkeyOptionsIn(page: string): { challenge: string } {
  const json = /data-options="([^"]*)"/.exec(page)?.[1] ?? '{}';
  return JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
}

export class SoftwarePasskey {
  readonly id = randomBytes(16);
  counter = 0;
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;
  private readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.privateKey = pair.privateKey;
    this.publicKey = pair.publicKey;
  }

  /** The fields of the form that registers the device. */
  create(page: string, lies: Lies = {}): { passkey: string } {
    const clientData = this.clientData('webauthn.create', passkeyOptionsIn(page).challenge, lies);
    const idLength = Buffer.from([0, this.id.length]);
    const attested = Buffer.concat([Buffer.alloc(16), idLength, this.id, this.coseKey()]);
    const authData = Buffer.concat([this.head(0x40, lies), attested]);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      text('fmt'),
      text(lies.format ?? 'none'),
      text('attStmt'),
      lies.hasCertificates
        ? Buffer.concat([Buffer.from([0xa1]), text('x5c'), Buffer.from([0x81]), bytes(Buffer.alloc(8))])
        : Buffer.from([0xa0]),
      text('authData'),
      bytes(authData),
    ]);
    return this.answer({
      clientDataJSON: base64url(clientData),
      attestationObject: base64url(attestationObject),
      transports: ['internal'],
    });
  }

  /** The fields of the form that uses the device. */
  get(page: string, lies: Lies = {}): { passkey: string } {
    this.counter += 1;
    const clientData = this.clientData('webauthn.get', passkeyOptionsIn(page).challenge, lies);
    const authenticatorData = this.head(0, { counter: this.counter, ...lies });
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()]);
    return this.answer({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(sign('sha256', signed, this.privateKey)),
    });
  }

  private answer(response: object): { passkey: string } {
    const id = base64url(this.id);
    const credential = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
    return { passkey: JSON.stringify(credential) };
  }

  private clientData(type: string, challenge: string, { origin = this.origin }: Lies): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  // User present, and verified.
  private head(flags: number, lies: Lies): Buffer {
    const { rpId = new URL(this.origin).hostname, counter = 0, isUserVerified = true } = lies;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const hash = createHash('sha256').update(rpId).digest();
    return Buffer.concat([hash, Buffer.from([flags | 0x01 | (isUserVerified ? 0x04 : 0)]), count]);
  }

  private coseKey(): Buffer {
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' });
    // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
    const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]);
    const [xBytes, yBytes] = [bytes(Buffer.from(x, 'base64url')), bytes(Buffer.from(y, 'base64url'))];
    return Buffer.concat([head, xBytes, Buffer.from([0x22]), yBytes]);
  }
}

// CBOR (RFC 8949): short texts, and byte strings of up to 64 KiB.
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | value.length]), Buffer.from(value)]);
}

function bytes(value: Buffer): Buffer {
  const head = value.length < 256 ? [0x58, value.length] : [0x59, value.length >> 8, value.length & 0xff];
  return Buffer.concat([Buffer.from(head), value]);
}

function base64url(value: Buffer): string {
  return value.toString('base64url');
}
