// Credentials that someone found in public: the address where programs report them. It takes what GitHub's API of the
// same name takes, and its answer tells nothing about them.

import type { Context } from 'hono';
import { countReport, MOST_CREDENTIALS, revokeReported } from '../report-limit.ts';
import { readBytes, UnreadableForm } from '../request-form.ts';
import { PATHS } from '../routes.ts';
import type { OAuthParts } from './oauth-parts.ts';

const MOST_BYTES = 256 * 1024;

/** Revoke the credentials in the body: `{"credentials": ["…"]}`, or the list alone. */
export async function revokeCredentials(parts: OAuthParts, c: Context): Promise<Response> {
  c.header('Cache-Control', 'no-store');
  if (c.req.method !== 'POST') return c.json(error('invalid_request', 'Use POST.'), 405, { Allow: 'POST' });
  try {
    const body = await readBytes(c, MOST_BYTES);
    const address = parts.clientAddress(c);
    // Before it is parsed: a quarter of a megabyte of small objects takes ten times as long as of texts.
    const tooFast = await countReport(parts.identity, address, parts.oauth.clock());
    if (tooFast !== undefined) {
      const { retryAfterSeconds } = tooFast;
      return c.json(
        error('rate_limited', `Wait ${retryAfterSeconds} seconds before the next request.`),
        429,
        {
          'Retry-After': `${retryAfterSeconds}`,
        },
      );
    }
    const credentials = listIn(JSON.parse(new TextDecoder().decode(body)));
    if (credentials === undefined) return c.json(MALFORMED, 422);
    await revokeReported(parts.oauth, address, credentials);
    return c.json({}, 202);
  } catch (failure) {
    if (failure instanceof SyntaxError) return c.json(MALFORMED, 422);
    if (failure instanceof UnreadableForm)
      return c.json(error('invalid_request', failure.message), failure.status);
    throw failure;
  }
}

function listIn(body: unknown): string[] | undefined {
  const list = Array.isArray(body) ? body : (body as { credentials?: unknown } | null)?.credentials;
  if (!Array.isArray(list) || list.length === 0 || list.length > MOST_CREDENTIALS) return undefined;
  return list.every((item) => typeof item === 'string') ? list : undefined;
}

function error(code: string, description: string): object {
  return { error: code, error_description: description };
}

const MALFORMED = error(
  'invalid_request',
  `Send JSON with 1 to ${MOST_CREDENTIALS} credentials: {"credentials": ["…"]}. See ${PATHS.docs}/tokens.`,
);
