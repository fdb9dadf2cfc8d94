// Who the token speaks for (OpenID Connect Core §5.3, contract §6).

import type { Context } from 'hono';
import {
  authenticateBearer,
  type Principal,
  readBearerToken,
  requireScope,
} from '../../oauth/bearer-token.ts';
import { OAuthError } from '../../oauth/errors.ts';
import { Form } from '../../oauth/form.ts';
import { subjectOf } from '../../oauth/id-token.ts';
import { STATUS_OF } from '../problem.ts';
import { profile } from '../representations.ts';
import { bodyPairs, UnreadableForm } from '../request-form.ts';
import type { OAuthParts } from './oauth-parts.ts';
import { preflightResponse } from './preflight.ts';

const MOST_FORM_BYTES = 16 * 1024;

/** Takes the token in the Authorization header or, as RFC 6750 §2.2 allows, in a posted form; never in the address. */
export async function userinfoEndpoint(parts: OAuthParts, c: Context): Promise<Response> {
  if (c.req.method === 'OPTIONS') return preflightResponse('GET, POST', COMMON_HEADERS);
  for (const [name, value] of Object.entries(COMMON_HEADERS)) c.header(name, value);
  if (c.req.method !== 'GET' && c.req.method !== 'POST') return c.body(null, 405, { Allow: 'GET, POST' });
  try {
    const token = await readToken(c);
    if (token === undefined) return challenge(parts, c, 401, '');
    const principal = await authenticateBearer(parts.oauth, token);
    requireScope(principal, 'openid');
    return c.json(claimsOf(parts, principal));
  } catch (error) {
    if (error instanceof UnreadableForm) {
      return c.json({ error: 'invalid_request', error_description: error.message }, error.status);
    }
    if (!(error instanceof OAuthError)) throw error;
    const scope = error.code === 'insufficient_scope' ? ', scope="openid"' : '';
    const words = `, error="${error.code}", error_description="${error.description}"${scope}`;
    return challenge(parts, c, STATUS_OF[error.code], words, error);
  }
}

const COMMON_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'WWW-Authenticate',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'no-store',
};

async function readToken(c: Context): Promise<string | undefined> {
  const inHeader = readBearerToken(c.req.header('authorization'));
  const isForm = c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false;
  if (c.req.method !== 'POST' || !isForm) return inHeader;
  const form = new Form(await bodyPairs(c, MOST_FORM_BYTES));
  form.refuseMalformed();
  const inBody = form.get('access_token');
  if (inHeader !== undefined && inBody !== undefined) {
    throw new OAuthError('invalid_request', 'Send the token in the header or in the body, not in both.');
  }
  return inHeader ?? inBody;
}

function claimsOf(parts: OAuthParts, { user, scopes }: Principal): object {
  const sub = subjectOf(user.id);
  if (!scopes.includes('profile:read')) return { sub };
  const { username, avatarUrl, profileUrl } = profile(user, parts.site.baseUrl, parts.oauth.clock());
  return { sub, preferred_username: username, picture: avatarUrl, profile: profileUrl };
}

function challenge(
  parts: OAuthParts,
  c: Context,
  status: 400 | 401 | 403,
  words: string,
  error?: OAuthError,
): Response {
  c.header('WWW-Authenticate', `Bearer realm="${parts.site.baseUrl}"${words}`);
  const body = error && { error: error.code, error_description: error.description };
  return c.json(body ?? {}, status);
}
