// The consent page: the application, its callback host, what it could read and for how long, and the two buttons.

import { html } from 'hono/html';
import type { User } from '../../identity/user.ts';
import { DAY, type Timestamp } from '../../lib/clock.ts';
import { markOf } from '../../oauth/client-review.ts';
import { GRANT_DURATIONS } from '../../oauth/grant.ts';
import { isApiScope } from '../../oauth/scope.ts';
import type { GrantDuration } from '../../oauth/store.ts';
import { avatarPath } from '../pages/avatar-path.ts';
import { inputField, problemSummary, selectField } from '../pages/fields.ts';
import { dayOf } from '../pages/moments.ts';
import { formTokenField, type Html, page } from '../pages/page.ts';
import { loginPath } from '../pages/return-path.ts';
import { tooOftenPage } from '../pages/too-often.ts';
import { formToken, isFormToken, type PageContext } from '../pages/visitor.ts';
import { retryAfter, waitText } from '../pages/waiting.ts';
import { PATHS } from '../routes.ts';
import { formTargetsFor } from '../security-headers.ts';
import { destination, introduction, warnings } from './consent-application.ts';
import { scopeCard } from './consent-scopes.ts';
import type { AnswerProblem, ConsentView } from './consent-view.ts';
import { type ConsentWords, consentWords } from './consent-words.ts';
import type { OAuthParts } from './oauth-parts.ts';

/** Ties a page to its request, to the application as it showed it, and to the browser. */
export const consentSeal = {
  of: (c: PageContext, query: string, mark: string) => formToken(c, `consent\n${mark}\n${query}`),
  matches: (c: PageContext, query: string, mark: string, seal: string) =>
    isFormToken(c, seal, `consent\n${mark}\n${query}`),
};

// The page reads what the application resembles, how well known it is, and a post of the member.
const MOST_PAGES_A_MINUTE = 150;

/** Ask the member to allow or deny the request. */
export async function consentPage(parts: OAuthParts, c: PageContext, view: ConsentView): Promise<Response> {
  const { visit, language } = c.get('visitor');
  if (visit === undefined) throw new Error('Only a signed-in member can be asked.');
  const { request, query } = view;
  const { client, returnTo } = request;
  const hit = await parts.counter.hit(`consent page:${visit.user.id}`, MOST_PAGES_A_MINUTE, 60);
  if (!hit.allowed) {
    return tooOftenPage(c, hit, `${PATHS.authorize}?${query}`);
  }
  const t = consentWords[language];
  const problem = view.refused && problemOf(c, view.refused.problem, t);
  const mark = markOf(client);
  const title = request.scopes.some(isApiScope) ? t.title(client.name) : t.signInTitle(client.name);
  return page(
    c,
    {
      title,
      isBare: true,
      returnTo: `${PATHS.authorize}?${query}`,
      formTargets: formTargetsFor(returnTo.redirectUri),
      ...(problem !== undefined && { status: problem.status }),
    },
    html`
      <form class="consent" method="post" action="${PATHS.consent}">
        ${formTokenField(c)}
        <input type="hidden" name="request" value="${query}">
        <input type="hidden" name="mark" value="${mark}">
        <input type="hidden" name="seal" value="${consentSeal.of(c, query, mark)}">
        ${problemSummary(problem === undefined ? {} : { [problem.field]: problem.text }, language)}
        ${await introduction(parts, c, request, title)}
        ${await warnings(parts, c, request)}
        ${reasonNotice(c, view)}
        ${destinationCard(returnTo.redirectUri, visit.user, query, t)}
        ${await scopeCard(parts, c, view, visit.user)}
        ${limitsCard(c, parts.oauth.clock(), view)}
        <p class="soft small">${t.noPassword(client.name)}</p>
        <p class="soft small">${t.wrong} <a href="${reportPath(client.id, query)}">${t.report}</a></p>
        <div class="decision">
          ${view.needsProof && passwordField(problem?.field === 'password' ? problem.text : undefined, t)}
          <div class="actions">
            <button name="decision" value="deny" formnovalidate>${t.deny}</button>
            <button class="primary guarded" name="decision" value="allow">${t.allow}</button>
          </div>
        </div>
      </form>`,
  );
}

// Why the page asks, though the member may allow all of it already.
function reasonNotice(c: PageContext, { question: { pausedAt, tooOften } }: ConsentView): Html | '' {
  const t = consentWords[c.get('visitor').language];
  if (pausedAt !== undefined)
    return html`<p class="notice">${t.paused(dayOf(pausedAt, c.get('visitor')))}</p>`;
  return tooOften === undefined ? '' : html`<p class="notice">${t.tooOften}</p>`;
}

function destinationCard(redirectUri: string, user: User, query: string, t: ConsentWords): Html {
  return html`
    <section class="card row spread">
      <div>
        <span class="soft small">${t.sentTo}</span>
        ${destination(redirectUri, t)}
      </div>
      <div class="row small">
        <img class="avatar" width="40" height="40" alt="" src="${avatarPath(user.id, user.avatar)}">
        <span>
          <span class="soft">${t.as}</span> <strong>${user.username}</strong><br>
          <a href="${loginPath(`${PATHS.authorize}?${query}`)}">${t.otherAccount}</a>
        </span>
      </div>
    </section>`;
}

function limitsCard(c: PageContext, now: Timestamp, { duration = 'until_removed' }: ConsentView): Html {
  const t = consentWords[c.get('visitor').language];
  return html`
    <section class="card see">
      <div class="cannot">
        <h2>${t.cannot}</h2>
        <ul>
          ${t.cannotList.map((item) => html`<li>${item}</li>`)}
        </ul>
      </div>
      <div>
        <h2>${t.howLong}</h2>
        ${durationField(c, now, duration, t)}
        <p class="soft small">${t.removable} <a href="/settings/apps">${t.connectedApps}</a>${t.renews}</p>
      </div>
    </section>`;
}

function durationField(c: PageContext, now: Timestamp, value: string, t: ConsentWords): Html {
  const dayIn = (days: number) => dayOf(now + days * DAY, c.get('visitor'));
  const labels: Record<GrantDuration, string> = {
    until_removed: t.untilRemoved,
    '30_days': t.thirtyDays(dayIn(30)),
    '1_day': t.oneDay(dayIn(1)),
    once: t.once,
  };
  const options = GRANT_DURATIONS.map((duration) => ({ value: duration, label: labels[duration] }));
  return selectField({ name: 'duration', label: t.access, value, options });
}

function passwordField(problem: string | undefined, t: ConsentWords): Html {
  return inputField({
    name: 'password',
    type: 'password',
    label: t.password,
    hint: t.passwordHint,
    problem,
    autocomplete: 'current-password',
    required: true,
  });
}

interface ShownProblem {
  text: string;
  /** The id of the element that it is about. */
  field: 'password' | 'asks';
  status: 400 | 429;
}

function problemOf(c: PageContext, answer: AnswerProblem, t: ConsentWords): ShownProblem {
  const { problem } = answer;
  if (problem === 'changed') return { text: t.changed, field: 'asks', status: 400 };
  if (problem !== 'too_many_attempts') return { text: t.proof[problem], field: 'password', status: 400 };
  retryAfter(c, answer.retryAfterSeconds);
  const wait = waitText(answer.retryAfterSeconds, c.get('visitor').language);
  return { text: t.tooMany(wait), field: 'password', status: 429 };
}

// Percent-encoded, a path can be three times as long, and the server accepts 16 KiB.
const LONGEST_QUERY = 4000;

function reportPath(clientId: string, query: string): string {
  const back = query.length > LONGEST_QUERY ? '/' : `${PATHS.authorize}?${query}`;
  return `/report/application?${new URLSearchParams({ client_id: clientId, return_to: back })}`;
}
