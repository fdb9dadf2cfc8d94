// Trying the sign-in of one's own application, from the answer that comes back: the secret is asked for, and then all
// requests that follow are sent and shown at once. So neither the secret nor a token is kept anywhere.

import { html } from 'hono/html';
import type { User } from '../../../identity/user.ts';
import { attempted, hourlyLimit } from '../../../lib/attempt.ts';
import { SECOND } from '../../../lib/clock.ts';
import { digestOf } from '../../../lib/secrets.ts';
import { isRedeemed } from '../../../oauth/authorization-code.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { CODE_LIFETIME } from '../../../oauth/issued-tokens.ts';
import { inputField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { loginPath } from '../../pages/return-path.ts';
import { findTrial, type Trial } from '../../pages/trial.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import { queryPairs } from '../../request-form.ts';
import { errorPage, requestsPath, trialPath } from '../../routes.ts';
import type { SiteParts } from '../site-parts.ts';
import { appOwner } from './frame.ts';
import { pageOfTrial, type Refusal, startPage } from './trial.ts';
import { errorIn, exchangeCard, shortened } from './trial-exchange.ts';
import { type Exchange, runTrial, type TrialStart } from './trial-run.ts';
import { trialWords } from './trial-words.ts';

// Each sends up to twelve requests.
const MOST_TRIALS_AN_HOUR = 60;
const CODE_SECONDS = CODE_LIFETIME / SECOND;

/** The owner of the application. Visitors who have to sign in first begin anew, so that the login page gets no code. */
export function trialOwner(site: SiteParts, c: PageContext): Promise<[User, Client] | Response> {
  if (c.get('visitor').visit !== undefined) return appOwner(site, c);
  return Promise.resolve(c.redirect(loginPath(trialPath(c.req.param('client_id') ?? '')), 303));
}

/** Show the answer to the authorization request. */
export async function trialReturnPage(
  site: SiteParts,
  c: PageContext,
  _: User,
  client: Client,
): Promise<Response> {
  const t = trialWords[c.get('visitor').language];
  const trial = findTrial(c, client, c.req.query('state'), site.clock());
  if (trial === undefined) return overPage(site, c, client);
  const code = c.req.query('code') ?? '';
  if (code !== '' && (await isRedeemed(site.oauth, client, code))) {
    return startPage(site, c, client, { refusal: { status: 400, text: t.sentBefore } });
  }
  return pageOfTrial(
    c,
    client,
    {},
    html`
      <section class="card">
        <h2>${t.returned}</h2>
        <p>${t.returnedMeans}</p>
        <pre class="wrapped" tabindex="0" aria-label="${t.returned}">GET ${returnedPath(site, c)} HTTP/1.1</pre>
        <ul class="plain">
          <li>${t.stateMatches}</li>
          <li>${c.req.query('iss') === site.oauth.issuer ? t.issMatches : t.issDiffers}</li>
        </ul>
        ${code === '' && refusalNotice(c, client)}
      </section>
      ${code !== '' && codeForm(c, client, trial, code)}`,
  );
}

// As it came, except for the code.
function returnedPath({ oauth }: SiteParts, c: PageContext): string {
  const query = queryPairs(c).map(([name, value]) => {
    return `${name}=${name === 'code' ? shortened(value, oauth.brand) : encodeURIComponent(value)}`;
  });
  return `${c.req.path}?${query.join('&')}`;
}

function refusalNotice(c: PageContext, client: Client): Html {
  const t = trialWords[c.get('visitor').language];
  const error = c.req.query('error') ?? 'invalid_request';
  // Of the errors of this endpoint, as the documentation knows them.
  const isKnown = /^[a-z_]{1,40}$/.test(error);
  return html`
    <p class="notice wrong" role="alert">${t.refused}</p>
    <p>${isKnown && html`<a href="${errorPage('', error)}">${t.moreAbout} <code>${error}</code></a> · `}
      <a href="${trialPath(client.id)}">${t.startAgain}</a></p>`;
}

function codeForm(c: PageContext, client: Client, trial: Trial, code: string): Html {
  const t = trialWords[c.get('visitor').language];
  return html`
    <form class="card" method="post" action="${trialPath(client.id)}">
      ${formTokenField(c)}
      <input type="hidden" name="state" value="${trial.state}">
      <input type="hidden" name="code" value="${code}">
      <h2>${t.next}</h2>
      <p>${t.nextMeans}</p>
      ${
        client.kind === 'confidential' &&
        inputField({
          name: 'client_secret',
          type: 'password',
          label: t.secret,
          hint: t.secretHint,
          required: true,
        })
      }
      <button class="primary">${t.run}</button>
    </form>`;
}

/** Exchange the code and send all requests that follow. Shows them all. */
export async function finishTrial(
  site: SiteParts,
  c: PageContext,
  user: User,
  client: Client,
  form: PostedForm,
): Promise<Response> {
  const trial = findTrial(c, client, form.text('state'), site.clock());
  if (trial === undefined) return overPage(site, c, client);
  const secret = client.kind === 'confidential' ? form.text('client_secret').trim() : '';
  const start = { client, trial, code: form.text('code').trim(), secret };
  const refusal = await refusalOf(site, c, user, start);
  if (refusal !== undefined) return startPage(site, c, client, { refusal });
  const exchanges = await runTrial(site, (request) => site.ask(c, request), start);
  return pageOfTrial(c, client, {}, resultOf(site, c, start, exchanges));
}

function overPage(site: SiteParts, c: PageContext, client: Client): Promise<Response> {
  const text = trialWords[c.get('visitor').language].over;
  return startPage(site, c, client, { refusal: { status: 400, text } });
}

async function refusalOf(
  site: SiteParts,
  c: PageContext,
  user: User,
  { client, code, secret }: TrialStart,
): Promise<Refusal | undefined> {
  const { language } = c.get('visitor');
  const t = trialWords[language];
  if (client.status !== 'active') return { status: 409, text: t.inactive };
  const limit = hourlyLimit(site.clock(), MOST_TRIALS_AN_HOUR, 'trials', user.id);
  const tooFast = await attempted(site.identity, limit);
  if (tooFast !== undefined) {
    retryAfter(c, tooFast.retryAfterSeconds);
    return { status: 429, text: t.tooFast(waitText(tooFast.retryAfterSeconds, language)) };
  }
  // A form that is sent again, or twice at once, must not count as a stolen code.
  const sent = await site.counter.hit(`trial:${digestOf(`${code}\n${secret}`)}`, 1, CODE_SECONDS);
  const isFirst = sent.allowed && !(await isRedeemed(site.oauth, client, code));
  return isFirst ? undefined : { status: 400, text: t.sentBefore };
}

function resultOf(
  site: SiteParts,
  c: PageContext,
  { client, trial, code }: TrialStart,
  exchanges: readonly Exchange[],
): Html {
  const t = trialWords[c.get('visitor').language];
  const isExchanged = exchanges.length > 1;
  const error = exchanges[0] && errorIn(exchanges[0].answer);
  return html`
    <p class="notice${!isExchanged && ' wrong'}" role="${isExchanged ? 'status' : 'alert'}">
      ${isExchanged ? t.done(exchanges.length) : t.stopped}
    </p>
    <ol class="plain exchanges">
      ${exchanges.map((exchange, index) => exchangeCard(site, c, exchange, index + 1))}
    </ol>
    ${error === 'invalid_client' && codeForm(c, client, trial, code)}
    <p>
      <a href="${trialPath(client.id)}">${t.startAgain}</a> ·
      <a href="${requestsPath(client.id)}">${t.inspector}</a>
    </p>`;
}
