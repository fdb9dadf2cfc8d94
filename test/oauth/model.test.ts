// Members, applications and thieves act in any order: the rules do what the model says, and no revoked
// credential becomes valid again. A failure prints the seed and the shortest story that leads to it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OAuthError } from '../../src/oauth/errors.ts';
import { APPLICATIONS, Model, type Presentation } from './model.ts';
import {
  advancing,
  application,
  approving,
  type Command,
  command,
  deactivating,
  narrowing,
  pausing,
  someScopes,
  suspending,
  withdrawing,
} from './model-members.ts';
import { checkConsent, compare, openWorld, request, type World } from './model-world.ts';
import { VERIFIER } from './provider.ts';

/** The element at an index, counted from the newest. The index is drawn before the list has its length. */
function pick<T>(list: readonly T[], drawn: number): [item: T, index: number] {
  const index = list.length - 1 - (drawn % list.length);
  return [list[index] as T, index];
}

/** As `pick`, for the sign-ins that have refresh tokens. */
function pickRefreshable(
  { families }: Model,
  drawn: number,
): [family: Model['families'][number], index: number] {
  const [family] = pick(
    families.filter(({ isOnce }) => !isOnce),
    drawn,
  );
  return [family, families.indexOf(family)];
}

function hasRefreshTokens({ families }: Model): boolean {
  return families.some(({ isOnce }) => !isOnce);
}

const draw = fc.oneof({ weight: 3, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.nat(1_000) });
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
      // A single sign-in has none.
      world.refreshTokens.push(answer.refresh_token === undefined ? [] : [answer.refresh_token]);
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
        const [family, index] = pickRefreshable(model, at);
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
        assert.ok(answer.refresh_token);
        tokens.push(answer.refresh_token);
        await checkConsent(world, family.person, by, answer.scope);
      },
      hasRefreshTokens,
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
      const [family, index] = pickRefreshable(model, at);
      const [token] = pick(world.refreshTokens[index] ?? [], generation);

      const answer = await request(world, by, { token });

      if ('code' in answer && answer.code !== 'invalid_client') model.revokeRefresh(family, by);
      assert.equal('code' in answer && answer.code === 'invalid_client', model.deactivated.has(by));
    },
    hasRefreshTokens,
  ),
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
      narrowing,
      ...[pausing, pausing],
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
