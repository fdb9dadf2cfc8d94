// The receiver of GitHub's secret scanning: https://docs.github.com/code-security/secret-scanning, "Partner program".
// GitHub signs each message, and learns which of the tokens in it are ours.

import { hash, verify } from 'node:crypto';
import type { Context } from 'hono';
import { attempted, exhausted, hourlyLimit } from '../../lib/attempt.ts';
import { wholeNetworkOf } from '../../lib/network.ts';
import { hasHiddenCharacters } from '../../lib/one-line.ts';
import { KeysMissing } from '../../lib/partner-keys.ts';
import { type Exposure, revokeExposed } from '../../oauth/exposed-credential.ts';
import { readBytes, UnreadableForm } from '../request-form.ts';
import type { OAuthParts } from './oauth-parts.ts';

const MOST_BYTES = 1024 * 1024;
const MOST_URL_CHARACTERS = 1000;
// Each takes reading a body and checking a signature. GitHub sends none.
const MOST_UNSIGNED_AN_HOUR = 60;
const RETRY_AFTER_SECONDS = 60;

interface Match {
  token: string;
  type: string;
  url?: unknown;
}

/** Revoke the tokens in a message, and answer with a label for each. */
export async function receiveFindings(parts: OAuthParts, c: Context): Promise<Response> {
  c.header('Cache-Control', 'no-store');
  const { findPartnerKey } = parts;
  if (findPartnerKey === undefined) return c.json({ error: 'not_found' }, 404);
  if (c.req.method !== 'POST') return c.json({ error: 'invalid_request' }, 405, { Allow: 'POST' });
  try {
    const { clientAddress, identity, oauth } = parts;
    const address = clientAddress(c);
    const caller = wholeNetworkOf(address);
    const limit = hourlyLimit(oauth.clock(), MOST_UNSIGNED_AN_HOUR, 'unsigned messages', caller);
    const tooMany = await exhausted(identity, limit);
    if (tooMany !== undefined) {
      return c.json(TOO_MANY, 429, { 'Retry-After': `${tooMany.retryAfterSeconds}` });
    }
    const body = await readBytes(c, MOST_BYTES);
    if (!(await isSigned(parts, c, body))) {
      await attempted(identity, limit);
      return c.json(UNSIGNED, 403);
    }
    const matches = matchesIn(new TextDecoder().decode(body));
    if (matches === undefined) return c.json(MALFORMED, 400);
    const texts = matches.map(({ token: text, url }) => ({
      text,
      source: 'github' as const,
      url: linkIn(url),
    }));
    const exposures = await revokeExposed(oauth, texts);
    return c.json(matches.map((match, index) => labelOf(match, exposures[index])));
  } catch (failure) {
    if (failure instanceof KeysMissing) {
      return c.json(NO_KEYS, 503, { 'Retry-After': `${RETRY_AFTER_SECONDS}` });
    }
    if (!(failure instanceof UnreadableForm)) throw failure;
    return c.json({ error: 'invalid_request', error_description: failure.message }, failure.status);
  }
}

const UNSIGNED = {
  error: 'access_denied',
  error_description:
    'Github-Public-Key-Signature is missing, or is not a signature of this body by this key.',
};

const TOO_MANY = {
  error: 'rate_limited',
  error_description: 'Too many messages without a valid signature came from your network.',
};

const NO_KEYS = {
  error: 'temporarily_unavailable',
  error_description: 'The keys that GitHub signs with can’t be read now. Send the message again later.',
};

const MALFORMED = {
  error: 'invalid_request',
  error_description: 'The body must be a JSON list of {"token", "type", "url", "source"}.',
};

// The signature is of the very bytes: ECDSA with P-256 and SHA-256, DER in Base64.
async function isSigned(parts: OAuthParts, c: Context, body: Uint8Array): Promise<boolean> {
  const id = c.req.header('github-public-key-identifier');
  const signature = c.req.header('github-public-key-signature');
  if (id === undefined || signature === undefined || parts.findPartnerKey === undefined) return false;
  const key = await parts.findPartnerKey(id);
  return key?.asymmetricKeyType === 'ec' && verify('sha256', body, key, Buffer.from(signature, 'base64'));
}

function matchesIn(text: string): Match[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every(isMatch) ? list : undefined;
  } catch {
    return undefined;
  }
}

function isMatch(item: unknown): item is Match {
  const { token, type } = (item ?? {}) as Partial<Record<'token' | 'type', unknown>>;
  return typeof token === 'string' && typeof type === 'string';
}

function labelOf({ token, type }: Match, exposure: Exposure | undefined): object {
  return {
    token_hash: hash('sha256', token, 'hex'),
    token_type: type,
    label: exposure === 'unknown' ? 'false_positive' : 'true_positive',
  };
}

// The owner gets it in a mail.
function linkIn(url: unknown): string | undefined {
  if (typeof url !== 'string' || url.length > MOST_URL_CHARACTERS || hasHiddenCharacters(url))
    return undefined;
  return /^https:\/\/[^\s]+$/.test(url) ? url : undefined;
}
