// Notes refused requests as security events. The answer doesn't wait for it, so it takes as long as before.

import type { MiddlewareHandler } from 'hono';
import type { AuditLog } from '../audit/audit-log.ts';
import { MOST_RECORDED_AN_HOUR, type RefusedRequest, recordRefusal } from '../audit/refused-request.ts';
import type { Counter } from '../lib/counter.ts';
import type { Log } from '../lib/log.ts';
import type { AddressNotAllowed } from '../oauth/bearer-token.ts';
import type { ClientAddress } from './client-address.ts';
import type { PageContext, PageEnv } from './pages/visitor.ts';

interface NotingParts {
  audit: AuditLog;
  counter: Counter;
  log: Log;
}

/** Note a refused request. If that fails, the log says so. */
export function noteRefusal(parts: NotingParts, request: RefusedRequest): void {
  const { event } = request;
  recordRefusal(parts.audit, parts.counter, request).then(
    (isLast) => isLast && parts.log.warn({ event }, NO_MORE),
    (error: Error) => parts.log.warn({ event, reason: error.message }, 'could not record a security event'),
  );
}

const NO_MORE = `recorded ${MOST_RECORDED_AN_HOUR} refused requests of this kind in an hour, and no more until it ends`;

/** Note that an API token was refused because of the address that it came from. */
export function noteRefusedAddress(
  parts: NotingParts,
  { userId, tokenId }: AddressNotAllowed,
  address: string,
): void {
  const about = { userId, address, subject: String(tokenId) };
  noteRefusal(parts, { event: 'access_denied', ...about, detail: 'token_address' });
}

/** Note pages that are refused: operators' pages for members, forms of other sites, and limits. */
export function noteRefusedPages(
  parts: NotingParts & { clientAddress: ClientAddress },
): MiddlewareHandler<PageEnv> {
  return async (c, next) => {
    await next();
    if (c.res.status < 400) return;
    const refusal = refusalOf(c);
    if (refusal === undefined) return;
    const user = c.get('visitor')?.visit?.user;
    const about = user === undefined ? {} : { userId: user.id };
    noteRefusal(parts, { ...refusal, ...about, address: parts.clientAddress(c) });
  };
}

type Refusal =
  | { event: 'access_denied'; detail: 'operator_page' | 'forged_form' }
  | { event: 'requests_limited'; detail: 'page' };

const MODERATORS_PAGES = /^\/operator\/(?:reports|removed|categories|posts|comments|members\/\d+\/)/;

function refusalOf(c: PageContext): Refusal | undefined {
  const { status } = c.res;
  const { path } = c.req;
  // Refused sign-ins have an event of their own.
  if (status === 429 && path !== '/login') return { event: 'requests_limited', detail: 'page' };
  const from = c.req.header('sec-fetch-site');
  if (status === 403 && c.req.method === 'POST' && (from === 'cross-site' || from === 'same-site')) {
    return { event: 'access_denied', detail: 'forged_form' };
  }
  const { visit } = c.get('visitor') ?? {};
  const isOperatorPage = path === '/operator' || path.startsWith('/operator/');
  // Moderators meet missing posts at addresses that they may open.
  const isModerators = visit?.user.isModerator === true && MODERATORS_PAGES.test(path);
  if (status === 404 && isOperatorPage && visit !== undefined && !visit.user.isOperator && !isModerators) {
    return { event: 'access_denied', detail: 'operator_page' };
  }
  return undefined;
}
