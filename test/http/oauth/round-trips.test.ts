// What signing in, refreshing and revoking cost on PostgreSQL: round trips that must wait for each other.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MINUTE } from '../../../src/lib/clock.ts';
import { type App, openApp } from '../../support/app.ts';
import type { Browser } from '../../support/browser.ts';
import { createPostgresDatabase } from '../../support/databases.ts';
import { browserOf, notebook, person, type RegisteredClient } from '../../support/people.ts';
import {
  answerConsent,
  askToken,
  authorizationRequest,
  revoke,
  type Tokens,
} from '../../support/relying-party.ts';
import { openWire, type Wire } from '../../support/wire.ts';

const skip = process.env.TEST_POSTGRES_URL ? false : 'TEST_POSTGRES_URL is not set; run it with npm test';

let app: App;
let wire: Wire;
let client: RegisteredClient;
let browser: Browser;

const ends: (() => unknown)[] = [];
before(async () => {
  if (skip) return;
  const scope = { after: (end: () => unknown) => void ends.unshift(end) };
  wire = await openWire(scope, await createPostgresDatabase(scope));
  app = await openApp({ DATABASE_URL: wire.url });
  scope.after(() => app.close());
  await person(app.portico, 'alice');
  client = await notebook(app.portico);
  browser = await browserOf(app, 'alice');
  await answerConsent(browser, authorizationRequest(client));
});
after(async () => {
  for (const end of ends) await end();
});

const tokens = (fields: Record<string, string>) => askToken(app, client, fields);
const newCode = async () =>
  (await answerConsent(browser, authorizationRequest(client))).searchParams.get('code') ?? '';
const exchange = (code: string) =>
  tokens({ grant_type: 'authorization_code', code, redirect_uri: client.redirectUri });
const signIn = async () => (await (await exchange(await newCode())).json()) as Tokens;

/** The fewest of several tries: others prepare statements, open connections, or run beside the server's own work. */
async function fewestTrips(act: () => Promise<() => Promise<Response | URL>>): Promise<number> {
  const counts: number[] = [];
  for (let tries = 0; tries < 5; tries += 1) {
    app.clock.advance(MINUTE);
    const send = await act();
    counts.push(
      await wire.tripsOf(async () => {
        const answer = await send();
        if (answer instanceof Response) assert.ok(answer.ok, await answer.text());
      }),
    );
  }
  return Math.min(...counts);
}

test('redeeming a code takes two round trips', { skip }, async () => {
  const trips = await fewestTrips(async () => {
    const code = await newCode();
    return () => exchange(code);
  });

  assert.equal(trips, 2);
});

test('refreshing takes two round trips', { skip }, async () => {
  let { refresh_token } = await signIn();
  const trips = await fewestTrips(async () => async () => {
    const answer = await tokens({ grant_type: 'refresh_token', refresh_token });
    ({ refresh_token } = (await answer.clone().json()) as Tokens);
    return answer;
  });

  assert.equal(trips, 2);
});

test('revoking takes two round trips, for either token', { skip }, async () => {
  for (const kind of ['access_token', 'refresh_token'] as const) {
    const trips = await fewestTrips(async () => {
      const token = (await signIn())[kind];
      return () => revoke(app, client, token);
    });

    assert.equal(trips, 2, kind);
  }
});

test('a remembered sign-in takes three round trips', { skip }, async () => {
  const trips = await fewestTrips(
    async () => async () => answerConsent(browser, authorizationRequest(client)),
  );

  assert.equal(trips, 3);
});
