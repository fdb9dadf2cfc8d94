// The modules of oidcc-basic-certification-test-plan about how the member signs in: prompt, max_age and hints.

import assert from 'node:assert/strict';
import { PASSWORD, person } from '../support/people.ts';
import { assertAuthorizationError } from './assertions.ts';
import { completeFlow, pagesSeen } from './flow.ts';
import { type ModuleRun, random } from './module-run.ts';

const WITHOUT_PAGES = [
  'login_required',
  'interaction_required',
  'account_selection_required',
  'consent_required',
];

export async function loginHint(run: ModuleRun): Promise<void> {
  const { landing } = await completeFlow(run, { login_hint: 'buffy"><b>@example.com' });

  const [loginPage] = landing.pages;
  assert.equal(loginPage?.kind, 'login');
  assert.match(loginPage.text, /value="buffy&quot;&gt;&lt;b&gt;@example\.com"/);
}

export async function promptLogin(run: ModuleRun): Promise<void> {
  const first = await completeFlow(run);
  run.wait(1);

  const second = await completeFlow(run, { prompt: 'login' });

  assert.deepEqual(pagesSeen(second), ['login']);
  assert.equal(second.claims.sub, first.claims.sub);
  assert.ok(second.claims.auth_time > first.claims.auth_time);
}

export async function promptNoneNotLoggedIn(run: ModuleRun): Promise<void> {
  const request = run.request({ prompt: 'none', state: random(128) });

  const landing = await run.visit(request);

  assertAuthorizationError(run, request, landing, WITHOUT_PAGES);
  assert.deepEqual(pagesSeen({ landing }), []);
}

export async function promptNoneLoggedIn(run: ModuleRun): Promise<void> {
  const first = await completeFlow(run);

  const second = await completeFlow(run, { prompt: 'none' });

  assert.deepEqual(pagesSeen(second), []);
  assert.equal(second.claims.sub, first.claims.sub);
  assert.equal(second.claims.auth_time, first.claims.auth_time);
}

export async function maxAge1(run: ModuleRun): Promise<void> {
  const first = await completeFlow(run);
  run.wait(2);

  const second = await completeFlow(run, { max_age: '1' });

  assert.deepEqual(pagesSeen(second), ['login']);
  assert.equal(second.claims.sub, first.claims.sub);
  assert.ok(second.claims.auth_time > first.claims.auth_time);
  assert.ok(run.now() - second.claims.auth_time <= 1);
}

export async function maxAge10000(run: ModuleRun): Promise<void> {
  const first = await completeFlow(run, { max_age: '15000' });
  run.wait(60);

  const second = await completeFlow(run, { max_age: '10000' });

  assert.deepEqual(pagesSeen(second), []);
  assert.equal(second.claims.sub, first.claims.sub);
  assert.equal(second.claims.auth_time, first.claims.auth_time);
}

export async function idTokenHint(run: ModuleRun): Promise<void> {
  // This happens two hours before the present, so that the hint has expired by every clock.
  run.wait(-2 * 3600);
  const first = await completeFlow(run);
  const hint = { prompt: 'none', id_token_hint: first.tokens.id_token };

  const second = await completeFlow(run, hint);
  run.wait(2 * 3600);
  const afterItExpired = await completeFlow(run, hint);

  for (const flow of [second, afterItExpired]) {
    assert.deepEqual(pagesSeen(flow), []);
    assert.equal(flow.claims.sub, first.claims.sub);
  }
  await assertHintOfAnotherIsRefused(run, hint);
}

async function assertHintOfAnotherIsRefused(run: ModuleRun, hint: Record<string, string>): Promise<void> {
  const { username } = await person(run.app.portico, `other-${random(8)}`);
  run.forgetCookies();
  await completeFlow(run, {}, { member: { username, password: PASSWORD } });
  const request = run.request(hint);

  const landing = await run.visit(request);

  assertAuthorizationError(run, request, landing, ['login_required']);
}
