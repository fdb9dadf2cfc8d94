// Members, applications and thieves act in any order: the rules do what the model says, and no revoked
// credential becomes valid again. A failure prints the seed and the shortest story that leads to it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { byServer } from '../../src/audit/doer.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { approve } from '../../src/oauth/authorization.ts';
import { activateClient, deactivateClient } from '../../src/oauth/client-status.ts';
import { OAuthError } from '../../src/oauth/errors.ts';
import { API_SCOPES, type Scope } from '../../src/oauth/scope.ts';
import { withdrawOwnConsent } from '../../src/oauth/withdrawal.ts';
import { APPLICATIONS, Model, PEOPLE, type Presentation } from './model.ts';
import { checkAllTokens, checkConsent, compare, openWorld, request, type World } from './model-world.ts';
import { asMember, asSignedIn, authorizationRequestOf, VERIFIER } from './provider.ts';

type Command = fc.AsyncCommand<Model, World>;

function command(
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

/** The element at an index, counted from the newest. The index is drawn before the list has its length. */
function pick<T>(list: readonly T[], drawn: number): [item: T, index: number] {
  const index = list.length - 1 - (drawn % list.length);
  return [list[index] as T, index];
}

const draw = fc.oneof({ weight: 3, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.nat(1_000) });
const person = fc.constantFrom(...PEOPLE);
const application = fc.constantFrom(...APPLICATIONS);
const all = { weight: 3, arbitrary: fc.constant<Scope[]>([...API_SCOPES]) };
const anyScopes = fc.oneof(all, { weight: 1, arbitrary: fc.subarray<Scope>([...API_SCOPES]) });
const someScopes = fc.oneof(all, {
  weight: 1,
  arbitrary: fc.subarray<Scope>([...API_SCOPES], { minLength: 1 }),
});

const approving = fc
  .tuple(person, application, someScopes, anyScopes, fc.boolean())
  .map(([who, what, asked, ticked, isBare]) =>
    command(
      `${who} lets ${what} have [${ticked}] of [${asked}]${isBare ? ' without PKCE' : ''}`,
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
          { ticked },
        );

        compare(
          answer,
          model.approve({ person: who, application: what, scopes: asked, hasChallenge }, ticked),
        );
        if (!(answer instanceof OAuthError)) codes.push(answer.code);
      },
      (model) => model.isUsable({ person: who, application: what }),
    ),
  );

function redeeming(
  name: string,
  choose: (code: Model['codes'][number]) => Presentation,
  at: number,
): Command {
  return command(
    `${name} code ${at}`,
    async (model, world) => {
      const [code, index] = pick(model.codes, at);
      const presentation = choose(code);
      const verifiers = { right: VERIFIER, wrong: 'a'.repeat(43), missing: undefined };
      const own = world.applications[code.application].client.redirectUris[0];
      const text = world.codes[index] ?? '';

      const answer = await request(world, presentation.by, {
        grant_type: 'authorization_code',
        code: text,
        redirect_uri: presentation.redirectUri === 'right' ? own : 'https://evil.example/',
        code_verifier: verifiers[presentation.verifier],
      });

      compare(answer, model.redeem(code, presentation));
      if (answer instanceof OAuthError) return;
      world.accessTokens.push(answer.access_token);
      world.refreshTokens.push([answer.refresh_token ?? '']);
      world.responsesPerCode.set(text, (world.responsesPerCode.get(text) ?? 0) + 1);
      await checkConsent(world, code.person, presentation.by, answer.scope);
    },
    (model) => model.codes.length > 0,
  );
}

const redeemingWell = draw.map((at) =>
  redeeming(
    'the application redeems',
    ({ application: by, hasChallenge }) => ({
      by,
      verifier: hasChallenge ? 'right' : 'missing',
      redirectUri: 'right',
    }),
    at,
  ),
);

const redeemingBadly = fc
  .tuple(
    draw,
    application,
    fc.constantFrom('right', 'right', 'wrong', 'missing'),
    fc.constantFrom('right', 'right', 'wrong'),
  )
  .map(([at, by, verifier, redirectUri]) =>
    redeeming(
      `${by}, with ${verifier} verifier and ${redirectUri} address, redeems`,
      () => ({ by, verifier, redirectUri }),
      at,
    ),
  );

const refreshing = fc
  .tuple(
    draw,
    fc.constantFrom(0, 0, 0, 0, 1, 2),
    fc.constantFrom(undefined, undefined, undefined, ...APPLICATIONS),
    fc.option(someScopes, { nil: undefined }),
  )
  .map(([at, age, thief, asked]) =>
    command(
      `${thief ?? 'the application'} refreshes sign-in ${at}, ${age} generations old, for [${asked ?? 'all'}]`,
      async (model, world) => {
        const [family, index] = pick(model.families, at);
        const tokens = world.refreshTokens[index] ?? [];
        const generation = Math.max(0, tokens.length - 1 - age);
        const by = thief ?? family.application;

        const answer = await request(world, by, {
          grant_type: 'refresh_token',
          refresh_token: tokens[generation],
          scope: asked?.join(' '),
        });

        compare(answer, model.refresh(family, generation, by, asked));
        if (answer instanceof OAuthError) return;
        world.accessTokens.push(answer.access_token);
        tokens.push(answer.refresh_token ?? '');
        await checkConsent(world, family.person, by, answer.scope);
      },
      (model) => model.families.length > 0,
    ),
  );

const revokingAccess = fc.tuple(draw, application).map(([at, by]) =>
  command(
    `${by} revokes access token ${at}`,
    async (model, world) => {
      const [token, index] = pick(model.accessTokens, at);

      const answer = await request(world, by, { token: world.accessTokens[index] });

      if ('code' in answer && answer.code !== 'invalid_client') model.revokeAccess(token, by);
      assert.equal('code' in answer && answer.code === 'invalid_client', model.deactivated.has(by));
    },
    (model) => model.accessTokens.length > 0,
  ),
);

const revokingRefresh = fc.tuple(draw, draw, application).map(([at, generation, by]) =>
  command(
    `${by} revokes refresh token ${generation} of sign-in ${at}`,
    async (model, world) => {
      const [family, index] = pick(model.families, at);
      const [token] = pick(world.refreshTokens[index] ?? [], generation);

      const answer = await request(world, by, { token });

      if ('code' in answer && answer.code !== 'invalid_client') model.revokeRefresh(family, by);
      assert.equal('code' in answer && answer.code === 'invalid_client', model.deactivated.has(by));
    },
    (model) => model.families.length > 0,
  ),
);

const withdrawing = fc.tuple(person, application).map(([who, what]) =>
  command(`${who} withdraws consent for ${what}`, async (model, { provider, applications }) => {
    const by = asMember(provider, provider[who]);

    const happened = await withdrawOwnConsent(by, provider.server, applications[what].client.id);

    assert.equal(happened, model.withdraw({ person: who, application: what }));
  }),
);

const suspending = fc.tuple(person, fc.constantFrom(true, false, false)).map(([who, isSuspended]) =>
  command(`${who} is ${isSuspended ? 'suspended' : 'active'}`, async (model, { provider }) => {
    const happened = await provider.setStatus(provider[who], isSuspended ? 'suspended' : 'active');

    assert.equal(happened, model.suspended.has(who) !== isSuspended);
    if (isSuspended) model.suspended.add(who);
    else model.suspended.delete(who);
  }),
);

const deactivating = fc.tuple(application, fc.constantFrom(true, false, false)).map(([what, isOff]) =>
  command(`${what} is ${isOff ? 'deactivated' : 'active'}`, async (model, { provider, applications }) => {
    const change = isOff ? deactivateClient : activateClient;
    await change(byServer(provider.server.clock), provider.server, applications[what].client.id);

    if (isOff) model.deactivated.add(what);
    else model.deactivated.delete(what);
  }),
);

const STEPS = [1, 1 * SECOND, 9 * SECOND, 11 * SECOND, 4 * MINUTE, 5 * MINUTE, 1 * HOUR, 29 * DAY, 31 * DAY];
const advancing = fc.constantFrom(...STEPS).map((duration) =>
  command(`${duration} ms pass`, async (model, { provider }) => {
    provider.advance(duration);
    model.now += duration;
  }),
);

/** Try each refresh token at the end, newest first: of one sign-in at most one yields tokens. */
async function checkAtMostOneLives(world: World): Promise<void> {
  for (const tokens of world.refreshTokens) {
    let alive = 0;
    for (const refresh_token of tokens.toReversed()) {
      for (const by of APPLICATIONS) {
        const answer = await request(world, by, { grant_type: 'refresh_token', refresh_token });
        if (!(answer instanceof OAuthError)) alive += 1;
      }
    }
    assert(alive <= 1, `${alive} refresh tokens of one sign-in live`);
  }
}

test('in any order of events the rules do what the model says, and no revoked credential becomes valid again', async () => {
  const commands = fc.commands(
    [
      ...[approving, approving, approving],
      ...[redeemingWell, redeemingWell],
      redeemingBadly,
      ...[refreshing, refreshing, refreshing, refreshing, refreshing],
      ...[advancing, advancing],
      revokingAccess,
      revokingRefresh,
      withdrawing,
      suspending,
      deactivating,
    ],
    { maxCommands: 40, size: 'max' },
  );

  await fc.assert(
    fc.asyncProperty(commands, async (story) => {
      const world = await openWorld();
      try {
        await fc.asyncModelRun(() => ({ model: new Model(), real: world }), story);

        for (const responses of world.responsesPerCode.values()) assert.equal(responses, 1);
        await checkAtMostOneLives(world);
      } finally {
        await world.provider.close();
      }
    }),
    // Without bias, because it would make most stories too short to find anything.
    { numRuns: 300, unbiased: true },
  );
});
