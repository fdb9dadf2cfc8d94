// Known acts, over HTTP and at the command line, leave exactly the expected security events, as rows and as lines of
// the log.

import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { byCommandLine } from '../../src/audit/doer.ts';
import type { SecurityEvent } from '../../src/audit/security-event.ts';
import { setAccountStatus } from '../../src/identity/account-status.ts';
import { DAY } from '../../src/lib/clock.ts';
import { openLog } from '../../src/lib/log.ts';
import { type App, openApp } from '../support/app.ts';
import { Browser } from '../support/browser.ts';
import { createPostgresDatabase, type TestScope } from '../support/databases.ts';
import { notebook, PASSWORD, type Person, person, type RegisteredClient } from '../support/people.ts';
import {
  answerConsent,
  askToken,
  authorizationRequest,
  callApi,
  type Tokens,
} from '../support/relying-party.ts';
import { secretsIn } from '../support/secrets.ts';

const NEW_PASSWORD = 'another walk, in the snow';
const WRONG = 'a wrong guess of mine';

async function tokensIn(answer: Promise<Response>): Promise<Tokens> {
  return (await (await answer).json()) as Tokens;
}

for (const kind of ['SQLite', 'PostgreSQL'] as const) {
  const isMissing = kind === 'PostgreSQL' && !process.env.TEST_POSTGRES_URL;
  const skip = isMissing ? 'TEST_POSTGRES_URL is not set; run it with npm test' : false;
  describe(`The security events on ${kind}`, { skip }, () => {
    const ends: (() => void | Promise<void>)[] = [];
    const scope: TestScope = { after: (end) => void ends.push(end) };
    const lines: string[] = [];
    let app: App;
    let alice: Person;
    let client: RegisteredClient;
    let seen = 0;

    before(async () => {
      const settings: Record<string, string> =
        kind === 'SQLite' ? {} : { DATABASE_URL: await createPostgresDatabase(scope) };
      const stream = new Writable({ write: (line, _, done) => done(void lines.push(String(line))) });
      app = await openApp(settings, openLog('info', stream));
      ends.push(() => app.close());
      alice = await person(app.portico, 'alice');
      client = await notebook(app.portico);
    });
    after(async () => {
      for (const end of ends.reverse()) await end();
    });

    async function allEvents(): Promise<SecurityEvent[]> {
      return (await app.portico.audit.reads.securityEvents({ limit: 1000 })).reverse();
    }

    /** The events since the last call, without their times and numbers. Refused requests are noted a bit later. */
    async function newEvents(count: number): Promise<string[]> {
      let events = await allEvents();
      for (let tries = 0; tries < 100 && events.length < seen + count; tries += 1) {
        await pause(20);
        events = await allEvents();
      }
      const latest = events.slice(seen);
      seen = events.length;
      return latest.map(({ event, userId, clientId, address, by, detail }) => {
        const who = userId === undefined ? '' : `member ${userId === alice.id ? 'alice' : 'other'}`;
        const which = clientId === undefined ? '' : 'notebook';
        const from = address === undefined ? '' : 'from 127.0.0.1';
        assert.ok(address === undefined || address === '127.0.0.1');
        return [event, who, which, from, by, detail].filter(Boolean).join(', ');
      });
    }

    test('of sign-ins: right, wrong, locked, signed out', async () => {
      const browser = new Browser(app.url);
      await browser.signIn('alice', WRONG);
      await browser.signIn('nobody-here', WRONG);
      await browser.signIn('alice', PASSWORD);
      await browser.signIn('alice', PASSWORD);
      await browser.submit(await browser.read('/'), '/logout');
      assert.deepEqual(await newEvents(7), [
        'sign_in_failed, member alice, from 127.0.0.1, wrong_password',
        'sign_in_failed, from 127.0.0.1, unknown_account',
        'signed_in, member alice, from 127.0.0.1, password',
        'new_browser, member alice, from 127.0.0.1',
        'signed_in, member alice, from 127.0.0.1, password',
        'session_ended, member alice, from 127.0.0.1, replaced',
        'signed_out, member alice, from 127.0.0.1',
      ]);

      for (let guess = 0; guess < 15; guess += 1) await browser.signIn('alice', WRONG);
      assert.deepEqual(await newEvents(11), [
        ...Array.from({ length: 10 }, () => 'sign_in_failed, member alice, from 127.0.0.1, wrong_password'),
        'sign_in_locked, member alice, from 127.0.0.1, account',
      ]);
      app.clock.advance(DAY);
    });

    test('of an account: a wrong and a new password, a token, a suspension, a reset', async () => {
      const browser = new Browser(app.url);
      await browser.signIn('alice', PASSWORD);
      const change = async (current: string) =>
        browser.submit(await browser.read('/settings/security'), '/settings/security/password', {
          current,
          new_password: NEW_PASSWORD,
          repeated: NEW_PASSWORD,
        });
      await change(WRONG);
      await change(PASSWORD);
      await browser.submit(await browser.read('/settings/tokens'), '/settings/tokens', {
        name: 'laptop',
        expiry: '7',
        scope: 'profile:read',
      });
      const [token] = await app.portico.oauth.reads.personalTokensOf(alice.id);
      const revokePath = `/settings/tokens/${token?.id}/revoke`;
      await browser.submit(await browser.read(revokePath), revokePath);
      await browser.open('/operator');
      await browser.open('/operator');
      const forgotten = await browser.read('/forgot-password');
      await browser.submit(forgotten, '/forgot-password', { account: 'alice' });
      const by = byCommandLine(app.portico.clock);
      await setAccountStatus(by, app.portico.identity, alice, 'suspended');
      await new Browser(app.url).signIn('alice', NEW_PASSWORD);
      await setAccountStatus(by, app.portico.identity, alice, 'active');

      // The refusal is recorded in the background, so its position among the events varies.
      const events = await newEvents(13);
      const denied = 'access_denied, member alice, from 127.0.0.1, operator_page';
      assert.equal(events.filter((event) => event === denied).length, 1);
      assert.deepEqual(
        events.filter((event) => event !== denied),
        [
          'signed_in, member alice, from 127.0.0.1, password',
          'new_browser, member alice, from 127.0.0.1',
          'sign_in_failed, member alice, from 127.0.0.1, reauthentication',
          'session_ended, member alice, password_changed',
          'password_changed, member alice, from 127.0.0.1',
          'signed_in, member alice, from 127.0.0.1, password_change',
          'api_token_created, member alice, from 127.0.0.1, member',
          'api_token_revoked, member alice, from 127.0.0.1, member',
          'password_reset_asked, member alice, from 127.0.0.1',
          'session_ended, member alice, account_suspended',
          'account_status_changed, member alice, command-line, suspended',
          'sign_in_failed, member alice, from 127.0.0.1, account_suspended',
          'account_status_changed, member alice, command-line, active',
        ],
      );
    });

    test('of an application: consent, replay, reuse, withdrawal; successes leave none', async () => {
      const browser = new Browser(app.url);
      await browser.signIn('alice', NEW_PASSWORD);
      const landed = await answerConsent(browser, authorizationRequest(client));
      const code = {
        grant_type: 'authorization_code',
        code: landed.searchParams.get('code') ?? '',
        redirect_uri: client.redirectUri,
      };
      const tokens = await tokensIn(askToken(app, client, code));
      const refresh = (token: string) =>
        askToken(app, client, { grant_type: 'refresh_token', refresh_token: token });
      const second = await tokensIn(refresh(tokens.refresh_token));
      const third = await tokensIn(refresh(second.refresh_token));
      assert.equal((await callApi(app, '/me', third.access_token)).status, 200);
      // Silent, because the consent is in force.
      await answerConsent(browser, authorizationRequest(client));
      assert.deepEqual(await newEvents(2), [
        'signed_in, member alice, from 127.0.0.1, password',
        'new_browser, member alice, from 127.0.0.1',
        'consent_granted, member alice, notebook, from 127.0.0.1, profile:read posts:read',
      ]);

      assert.equal((await refresh(tokens.refresh_token)).status, 400);
      assert.equal((await refresh(tokens.refresh_token)).status, 400);
      assert.equal((await askToken(app, client, code)).status, 400);
      assert.equal((await askToken(app, client, code)).status, 400);
      const removal = `/settings/apps/${client.id}/remove`;
      await browser.submit(await browser.read(removal), removal);
      assert.deepEqual(await newEvents(3), [
        'refresh_token_reused, member alice, notebook, from 127.0.0.1',
        'code_replayed, member alice, notebook, from 127.0.0.1',
        'consent_withdrawn, member alice, notebook, from 127.0.0.1, member',
      ]);

      for (let guess = 0; guess < 5; guess += 1) {
        await askToken(app, { ...client, secret: WRONG }, code);
        await askToken(app, { ...client, id: `app_${guess}`, secret: WRONG }, code);
      }
      assert.deepEqual((await newEvents(2)).toSorted(), [
        'client_authentication_failed, from 127.0.0.1',
        'client_authentication_failed, notebook, from 127.0.0.1',
      ]);
    });

    test('a form of another site is refused and noted once a minute', async () => {
      for (let times = 0; times < 3; times += 1) {
        const answer = await fetch(`${app.url}/login`, {
          method: 'POST',
          headers: { 'Sec-Fetch-Site': 'cross-site' },
          body: new URLSearchParams({ username: 'alice', password: WRONG }),
        });
        assert.equal(answer.status, 403);
      }

      assert.deepEqual(await newEvents(1), ['access_denied, from 127.0.0.1, forged_form']);
    });

    test('the log has a line for each row, with the same fields and no secret', async () => {
      const rows = await allEvents();
      const logged = lines
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => msg === 'security event')
        .map(({ id, event, userId, clientId, address, by, detail, subject, level }) => {
          assert.ok(level === 30 || level === 40);
          return { id, event, userId, clientId, address, by, detail, subject };
        });

      assert.deepEqual(
        logged.toSorted((one, other) => one.id - other.id),
        rows.map(({ at, ...row }) => row),
      );
      const text = lines.join('') + JSON.stringify(rows);
      assert.deepEqual(secretsIn(text, [PASSWORD, NEW_PASSWORD, WRONG, client.secret]), []);
    });

    test('a member reads only their own events, in the data export; operators and the page filter them', async () => {
      const browser = new Browser(app.url);
      await person(app.portico, 'bob');
      await browser.signIn('bob', PASSWORD);
      const page = await browser.read('/settings/account');
      const answer = await browser.submit(page, '/settings/account/export');
      const own = (await answer.json()) as { security_events: Record<string, string>[] };

      assert.deepEqual(
        own.security_events.map(({ event, address, detail }) => [event, address, detail]),
        [
          ['new_browser', '127.0.0.1', null],
          ['signed_in', '127.0.0.1', 'password'],
        ],
      );
      assert.match(own.security_events[0]?.occurred_at ?? '', /^\d{4}-.*Z$/);

      const olivia = await person(app.portico, 'olivia');
      await app.portico.identity.writes.setRole(byCommandLine(app.clock.read), olivia.id, 'operator');
      const operator = new Browser(app.url);
      await operator.signIn('olivia', PASSWORD);
      assert.match(await operator.read('/operator/security'), /Signed in[\s\S]*Application connected/);
      const ofBob = await operator.read('/operator/security?username=BOB');
      assert.match(ofBob, /Signed in[\s\S]*>bob<\/a>/);
      assert.ok(!ofBob.includes('>alice</a>'));
      const replays = await operator.read('/operator/security?username=alice&event=code_replayed');
      assert.equal(replays.match(/127\.0\.0\.1/g)?.length, 1);
      assert.match(await operator.read('/operator/security?username=carol'), /no member named “carol”/);
      assert.equal((await browser.open('/operator/security')).status, 404);
    });
  });
}
