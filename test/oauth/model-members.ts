// What members and operators do in the stories of `model.test.ts`, and the steps of the clock.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { byServer } from '../../src/audit/doer.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { approve } from '../../src/oauth/authorization.ts';
import { activateClient, deactivateClient } from '../../src/oauth/client-status.ts';
import { OAuthError } from '../../src/oauth/errors.ts';
import { GRANT_DURATIONS } from '../../src/oauth/grant.ts';
import { narrowOwnConsent } from '../../src/oauth/narrowing.ts';
import { pauseOwnConsent, resumeOwnConsent } from '../../src/oauth/pause.ts';
import { API_SCOPES, type Scope } from '../../src/oauth/scope.ts';
import { withdrawOwnConsent } from '../../src/oauth/withdrawal.ts';
import { APPLICATIONS, type Model, PEOPLE } from './model.ts';
import { checkAllTokens, compare, type World } from './model-world.ts';
import { asMember, asSignedIn, authorizationRequestOf } from './provider.ts';

export type Command = fc.AsyncCommand<Model, World>;

export function command(
  name: string,
  run: (model: Model, world: World) => Promise<void>,
  isPossible: (model: Model) => boolean = () => true,
): Command {
  return {
    toString: () => name,
    check: isPossible,
    async run(model, world) {
      await run(model, world);
      await checkAllTokens(model, world);
    },
  };
}

const person = fc.constantFrom(...PEOPLE);
export const application = fc.constantFrom(...APPLICATIONS);
const duration = fc.constantFrom('until_removed', 'until_removed', ...GRANT_DURATIONS);
const all = { weight: 3, arbitrary: fc.constant<Scope[]>([...API_SCOPES]) };
const anyScopes = fc.oneof(all, { weight: 1, arbitrary: fc.subarray<Scope>([...API_SCOPES]) });
export const someScopes = fc.oneof(all, {
  weight: 1,
  arbitrary: fc.subarray<Scope>([...API_SCOPES], { minLength: 1 }),
});

export const approving = fc
  .tuple(person, application, someScopes, anyScopes, fc.boolean(), duration)
  .map(([who, what, asked, ticked, isBare, howLong]) =>
    command(
      `${who} lets ${what} have [${ticked}] of [${asked}] ${howLong}${isBare ? ' without PKCE' : ''}`,
      async (model, { provider, applications, codes }) => {
        const hasChallenge = what === 'pocket' || !isBare;
        const changes = {
          scope: asked.join(' '),
          ...(hasChallenge ? {} : { code_challenge: '', code_challenge_method: '' }),
        };
        const authorizationRequest = await authorizationRequestOf(
          provider,
          applications[what].client,
          changes,
        );

        const answer = await approve(
          asSignedIn(provider, provider[who]),
          provider.server,
          authorizationRequest,
          { ticked, duration: howLong },
        );

        assert.ok(answer !== undefined);
        compare(
          answer,
          model.approve({ person: who, application: what, scopes: asked, hasChallenge }, ticked, howLong),
        );
        if (!(answer instanceof OAuthError)) codes.push(answer.code);
      },
      (model) => model.isUsable({ person: who, application: what }),
    ),
  );

export const withdrawing = fc.tuple(person, application).map(([who, what]) =>
  command(`${who} withdraws consent for ${what}`, async (model, { provider, applications }) => {
    const by = asMember(provider, provider[who]);

    const happened = await withdrawOwnConsent(by, provider.server, applications[what].client.id);

    assert.equal(happened, model.withdraw({ person: who, application: what }));
  }),
);

export const narrowing = fc.tuple(person, application, anyScopes).map(([who, what, ticked]) =>
  command(`${who} leaves ${what} only [${ticked}]`, async (model, { provider, applications }) => {
    const by = asMember(provider, provider[who]);

    const answer = await narrowOwnConsent(by, provider.server, applications[what].client.id, ticked);

    const scopes = 'scopes' in answer && answer.scopes;
    assert.deepEqual(scopes, model.narrow({ person: who, application: what }, ticked));
  }),
);

export const pausing = fc
  .tuple(person, application, fc.constantFrom(true, false, false))
  .map(([who, what, isPaused]) =>
    command(
      `${who} ${isPaused ? 'pauses' : 'resumes'} ${what}`,
      async (model, { provider, applications }) => {
        const change = isPaused ? pauseOwnConsent : resumeOwnConsent;
        const by = asMember(provider, provider[who]);

        const happened = await change(by, provider.server, applications[what].client.id);

        assert.equal(happened, model.setPaused({ person: who, application: what }, isPaused));
      },
    ),
  );

export const suspending = fc.tuple(person, fc.constantFrom(true, false, false)).map(([who, isSuspended]) =>
  command(`${who} is ${isSuspended ? 'suspended' : 'active'}`, async (model, { provider }) => {
    const happened = await provider.setStatus(provider[who], isSuspended ? 'suspended' : 'active');

    assert.equal(happened, model.suspended.has(who) !== isSuspended);
    if (isSuspended) model.suspended.add(who);
    else model.suspended.delete(who);
  }),
);

export const deactivating = fc.tuple(application, fc.constantFrom(true, false, false)).map(([what, isOff]) =>
  command(`${what} is ${isOff ? 'deactivated' : 'active'}`, async (model, { provider, applications }) => {
    const change = isOff ? deactivateClient : activateClient;
    await change(byServer(provider.server.clock), provider.server, applications[what].client.id);

    if (isOff) model.deactivated.add(what);
    else model.deactivated.delete(what);
  }),
);

const STEPS = [
  1,
  1 * SECOND,
  9 * SECOND,
  11 * SECOND,
  4 * MINUTE,
  5 * MINUTE,
  1 * HOUR,
  1 * DAY,
  29 * DAY,
  31 * DAY,
];
export const advancing = fc.constantFrom(...STEPS).map((duration) =>
  command(`${duration} ms pass`, async (model, { provider }) => {
    provider.advance(duration);
    model.now += duration;
  }),
);
