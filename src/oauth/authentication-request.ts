// How the application wants the member to sign in (OpenID Connect Core §3.1.2.1): prompt, max_age and hints.

import { SECOND, type Timestamp } from '../lib/clock.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { OAuthError } from './errors.ts';
import type { Form } from './form.ts';
import { readIdTokenHint } from './id-token.ts';
import type { BrokenRule } from './request-rules.ts';

export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;
export type Prompt = (typeof PROMPTS)[number];

export interface AuthenticationRequest {
  prompts: ReadonlySet<Prompt>;
  /** The longest acceptable time since the member proved their identity, in milliseconds. */
  maxAge: number | undefined;
  loginHint: string | undefined;
  idTokenHint: string | undefined;
  /**
   * When this request first sent the member to sign in, if it did. Members can change this in the address
   * bar, as they can remove `prompt`, so an application that must be sure checks `auth_time`.
   */
  askedAt: Timestamp | undefined;
}

/** The parameter that carries `askedAt` through the sign-in. Applications don't send it. */
export const ASKED_AT = 'asked_at';

export function readAuthenticationRequest(form: Form): AuthenticationRequest {
  return {
    prompts: readPrompts(form.get('prompt')),
    maxAge: readMaxAge(form.get('max_age')),
    loginHint: form.get('login_hint'),
    idTokenHint: form.get('id_token_hint'),
    askedAt: readTimestamp(form.get(ASKED_AT)),
  };
}

/** Report whether the request wants an answer without any page. The request may be invalid in other ways. */
export function wantsNoPage(form: Form): boolean {
  return form.get('prompt')?.split(' ').includes('none') ?? false;
}

/** Check whether the member's last sign-in satisfies the request, and if not whether signing in again can. */
export async function checkAuthentication(
  server: AuthorizationServer,
  request: AuthenticationRequest,
  member: { userId: number; authenticatedAt: Timestamp },
): Promise<'sufficient' | 'sign_in_again' | 'another_member'> {
  const now = server.clock();
  const signedInForThis =
    request.askedAt !== undefined && request.askedAt <= now && member.authenticatedAt >= request.askedAt;
  if (!isRecentEnough(request, member.authenticatedAt, now, signedInForThis)) return 'sign_in_again';
  if (request.idTokenHint === undefined) return 'sufficient';
  // An unreadable hint identifies no member and proves nothing.
  const hint = await readIdTokenHint(server, request.idTokenHint);
  if (hint === undefined) return request.prompts.has('none') ? 'another_member' : 'sufficient';
  if (hint.userId === member.userId) return 'sufficient';
  return signedInForThis ? 'another_member' : 'sign_in_again';
}

function isRecentEnough(
  { prompts, maxAge }: AuthenticationRequest,
  authenticatedAt: Timestamp,
  now: Timestamp,
  signedInForThis: boolean,
): boolean {
  // max_age=0 means the same as prompt=login: no sign-in before this request is recent enough.
  if (prompts.has('login') || maxAge === 0) return signedInForThis;
  return maxAge === undefined || signedInForThis || authenticatedAt + maxAge >= now;
}

function readPrompts(text: string | undefined): ReadonlySet<Prompt> {
  const names = (text ?? '').split(' ').filter((name) => name !== '');
  const hasUnknown = names.some((name) => !(PROMPTS as readonly string[]).includes(name));
  if (hasUnknown) {
    throw new OAuthError('invalid_request', `The prompt must be among ${PROMPTS.join(', ')}.`, {
      rule: 'prompt_unsupported',
      came: names.join(' '),
      expected: PROMPTS,
    });
  }
  const prompts = new Set(names as Prompt[]);
  if (prompts.has('none') && prompts.size > 1) {
    throw new OAuthError('invalid_request', 'prompt=none cannot be combined with other values.', {
      rule: 'prompt_unsupported',
      came: names.join(' '),
      expected: ['none'],
    });
  }
  return prompts;
}

function readMaxAge(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,10}$/.test(text)) {
    const broken: BrokenRule = { rule: 'max_age_malformed', came: text };
    throw new OAuthError('invalid_request', 'The max_age must be a number of seconds.', broken);
  }
  return Number(text) * SECOND;
}

function readTimestamp(text: string | undefined): Timestamp | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
