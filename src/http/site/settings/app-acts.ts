// What a member can do about a connected application: remove, narrow, or pause its access, end a sign-in, and take the
// receipt along. Each change holds from the application's next request on.

import { byMember, type MemberDoer } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import { attempted, hourlyLimit } from '../../../lib/attempt.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { consentReceipt } from '../../../oauth/consent-receipt.ts';
import { narrowOwnConsent } from '../../../oauth/narrowing.ts';
import { pauseOwnConsent, resumeOwnConsent } from '../../../oauth/pause.ts';
import { SCOPES } from '../../../oauth/scope.ts';
import { endOwnSignIn, withdrawOwnConsent } from '../../../oauth/withdrawal.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { memberForm } from '../../pages/guards.ts';
import { tooOftenPage } from '../../pages/too-often.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { PATHS } from '../../routes.ts';
import { proven } from '../proof.ts';
import type { SiteParts } from '../site-parts.ts';
import { appPath } from './app-parts.ts';

// Each is signed anew.
const MOST_RECEIPTS_AN_HOUR = 10;

/** Remove an application's access. If it was removed before, in another window perhaps, its page says so. */
export function removeApp(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  return changed(site, c, user, (by, { id }) => withdrawOwnConsent(by, site.oauth, id));
}

/** Leave an application only the ticked scopes. */
export function narrowApp(site: SiteParts, c: PageContext, user: User, form: PostedForm): Promise<Response> {
  const ticked = SCOPES.filter((scope) => form.all('scope').includes(scope));
  return changedInTurn(site, c, user, async (by, client) => {
    const { outcome } = await narrowOwnConsent(by, site.oauth, client.id, ticked);
    return outcome === 'nothing_left' ? `${appPath(client)}/remove` : outcome === 'narrowed';
  });
}

/** Answer with the signed receipt of the consent, as a file. */
export async function downloadReceipt(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const client = await clientInPath(site, c);
  const grant = client && (await site.oauth.reads.findGrant(user.id, client.id, site.clock()));
  if (client === undefined || grant === undefined) return notFoundPage(c);
  const limit = hourlyLimit(site.clock(), MOST_RECEIPTS_AN_HOUR, 'consent receipts', user.id);
  const tooFast = await attempted(site.identity, limit);
  if (tooFast !== undefined) return tooOftenPage(c, tooFast, appPath(client));
  const receipt = await consentReceipt(site.oauth, client, grant);
  const keys = site.site.baseUrl + PATHS.jwks;
  c.header('Content-Disposition', `attachment; filename="consent-${client.id}.json"`);
  c.header('Cache-Control', 'no-store');
  return c.json({ ...receipt, keys });
}

/**
 * As `memberForm`, and with a proof of identity to resume: a stranger at the member's browser must not give access back
 * that the member stopped.
 */
export async function pauseForm(site: SiteParts, c: PageContext): Promise<[User, PostedForm] | Response> {
  const facts = await memberForm(site, c);
  return facts instanceof Response || facts[1].text('act') !== 'resume' ? facts : proven(site, c, facts);
}

/** Pause an application's access, or resume it. */
export function pauseApp(site: SiteParts, c: PageContext, user: User, form: PostedForm): Promise<Response> {
  const act = form.text('act') === 'resume' ? resumeOwnConsent : pauseOwnConsent;
  return changedInTurn(site, c, user, (by, { id }) => act(by, site.oauth, id));
}

/** End one sign-in at an application. */
export function endSignIn(site: SiteParts, c: PageContext, user: User, form: PostedForm): Promise<Response> {
  return changedInTurn(site, c, user, (by) => endOwnSignIn(by, site.oauth, form.text('sign_in')));
}

// Each change leaves an event, which is kept for 90 days. Removing access is never refused.
const MOST_CHANGES_AN_HOUR = 60;

/** As `changed`, a limited number of times an hour. */
async function changedInTurn(...[site, c, user, change]: Parameters<typeof changed>): Promise<Response> {
  const limit = hourlyLimit(site.clock(), MOST_CHANGES_AN_HOUR, 'application change', user.id);
  const tooFast = await attempted(site.identity, limit);
  if (tooFast !== undefined) return tooOftenPage(c, tooFast, appPathOf(site, c));
  return changed(site, c, user, change);
}

/** Change the access of the application in the path, and show its page or the path that the change returns. */
async function changed(
  site: SiteParts,
  c: PageContext,
  user: User,
  change: (by: MemberDoer, client: Client) => Promise<boolean | string>,
): Promise<Response> {
  const client = await clientInPath(site, c);
  if (client === undefined) return notFoundPage(c);
  const outcome = await change(byMember(user, site.clock, site.clientAddress(c)), client);
  if (typeof outcome === 'string') return c.redirect(outcome, 303);
  return c.redirect(`${appPath(client)}${outcome ? '?saved' : ''}`, 303);
}

/** The page of the application in the path. */
export function appPathOf(_: SiteParts, c: PageContext): string {
  return appPath({ id: c.req.param('client_id') ?? '' });
}

/** The application in the path. */
export function clientInPath(site: SiteParts, c: PageContext): Promise<Client | undefined> {
  return site.oauth.reads.findClient(c.req.param('client_id') ?? '');
}
