// Members who need a second factor and have had their time set one up before they go on.

import type { MiddlewareHandler } from 'hono';
import type { Identity } from '../../identity/identity.ts';
import { factorDue, lacksFactor } from '../../identity/required-factor.ts';
import type { PageEnv } from './visitor.ts';

const SECURITY_PATH = '/settings/security';
// The pages that set a factor up, and the pictures on them.
const OPEN = [SECURITY_PATH, '/avatars/'];

// Where operators act as operators. In the developer console they manage applications that no member owns.
const OF_OPERATORS = /^\/(operator|developers\/apps)(\/|$)/;

/** Lead members who are late to their security settings. Operators are led there from their own pages only. */
export function factorFirst(identity: Identity): MiddlewareHandler<PageEnv> {
  return async (c, next) => {
    const { visit } = c.get('visitor');
    const mode = c.get('site').secondFactor;
    const { path } = c.req;
    const isConcerned = mode === 'everyone' || OF_OPERATORS.test(path);
    const isOpen = OPEN.some((prefix) => path.startsWith(prefix));
    if (visit === undefined || !isConcerned || isOpen || !lacksFactor(visit.user, mode)) return next();
    if ((await factorDue(identity, visit.user)) > identity.clock()) return next();
    return c.redirect(`${SECURITY_PATH}#second-factor`, 303);
  };
}
