// The browsers that a member is signed in with, the mail about a new one, and the link "This wasn't me".

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR } from '../../../src/lib/clock.ts';
import { asMember } from '../doers.ts';
import { atOnce, type Open, openFixture, openSession } from '../fixture.ts';
import { NOON, newMailToken, newSession, SESSION_START } from '../records.ts';
import { addEmail } from './mail-links.ts';

const NEW_BROWSER = { ...SESSION_START, browser: { program: 'Firefox on Linux', isNew: true } };

export const browsers = {
  title: 'browsers',
  registerTests(open: Open): void {
    test('a member sees the own browsers, and ends one, or all others', async (t) => {
      const { identity, alice, bob } = await openFixture(open, t);
      const [first, second, third] = [newSession(alice), newSession(alice), newSession(alice)];
      for (const session of [first, second, third, newSession(bob)]) {
        await identity.addSession(session, NEW_BROWSER);
      }
      await identity.touchSession(first.key, NOON + HOUR, '2001:db8:1::/48');
      const listed = await identity.browsersOf(alice, NOON, NOON - DAY);
      const own = ({ key }: { key: string }) => ({ key, signedInAt: NOON });

      assert.equal(listed.length, 3);
      assert.deepEqual(listed[0], {
        key: first.key,
        program: 'Firefox on Linux',
        network: '192.0.2.0/24',
        lastNetwork: '2001:db8:1::/48',
        signedInAt: NOON,
        lastSeenAt: NOON + HOUR,
      });
      assert.equal(await identity.endOwnSession(asMember(bob), own(second)), false);
      const ends = await atOnce(5, () => identity.endOwnSession(asMember(alice), own(second)));
      assert.equal(ends.filter(Boolean).length, 1);
      await identity.endOtherSessions(asMember(alice), first.key);
      const left = await identity.browsersOf(alice, NOON, NOON - DAY);
      assert.deepEqual(
        left.map(({ key }) => key),
        [first.key],
      );
      assert.equal((await identity.browsersOf(bob, NOON, NOON - DAY)).length, 1);
    });

    test('new browsers that sign in at once are mailed up to the limit', async (t) => {
      const fixture = await openFixture(open, t);
      await addEmail(fixture);

      await atOnce(8, () => fixture.identity.addSession(newSession(fixture.alice), NEW_BROWSER));

      const mails = await fixture.identity.mailsDue(NOON, 10);
      assert.deepEqual(
        mails.map(({ purpose }) => purpose),
        Array(5).fill('new_browser'),
      );
      const about = { security: { at: NOON, address: '192.0.2.7', program: 'Firefox on Linux' } };
      assert.deepEqual(mails[0]?.about, about);
    });

    test('a link “This wasn’t me” works once of parallel uses, and ends every session', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, alice } = fixture;
      await addEmail(fixture);
      await identity.addSession(newSession(alice), SESSION_START);
      const email = 'alice@x.example';
      const link = newMailToken(alice, { purpose: 'disown', email, disowned: { tokenId: 7 } });
      await identity.addMailToken(link);
      assert.deepEqual((await identity.findMailToken(link.key))?.disowned, { tokenId: 7 });

      const uses = await atOnce(5, (index) => {
        const reset = newMailToken(alice, { purpose: 'reset', email });
        return identity.disown(link, {
          passwordHash: `none ${index}`,
          reset,
          factorsSince: NOON,
          at: NOON,
          address: '192.0.2.9',
        });
      });

      assert.equal(uses.filter(Boolean).length, 1);
      assert.deepEqual(await identity.browsersOf(alice, NOON, NOON - DAY), []);
      assert.match((await identity.findPasswordHash(alice)) ?? '', /^none/);
    });

    test('a link “This wasn’t me” removes newer factors and recovery codes, and leaves older ones', async (t) => {
      const fixture = await openFixture(open, t);
      const { identity, audit, alice } = fixture;
      await addEmail(fixture);
      const passkey = (credentialId: string) => ({
        credentialId,
        publicKey: new Uint8Array([1]),
        counter: 0,
        transports: '',
        name: credentialId,
      });
      const sessionKey = await openSession(fixture, alice);
      const change = (...recoveryCodes: string[]) => ({ sessionKey, recoveryCodes });
      const [early, late] = [asMember(alice, NOON - 2 * DAY), asMember(alice, NOON)];
      await identity.addPasskey(early, passkey('old'), 5, change('old code'));
      await identity.addPasskey(late, passkey('new'), 5, change());
      await identity.startApp(late, 'SECRET');
      await identity.confirmApp(late, { pending: 'SECRET', secret: 'SECRET' }, 1, change());
      const disown = async (factorsSince: number) => {
        const link = newMailToken(alice, { purpose: 'disown', email: 'alice@x.example' });
        const reset = newMailToken(alice, { purpose: 'reset', email: 'alice@x.example' });
        await identity.addMailToken(link);
        const passwordHash = `none ${factorsSince}`;
        await identity.disown(link, { passwordHash, reset, factorsSince, at: NOON, address: '192.0.2.9' });
        return {
          ...(await identity.factorsOf(alice)),
          hasFactor: (await identity.findUser(alice))?.hasFactor,
        };
      };

      const older = { appSince: undefined, passkeys: 1, recoveryCodes: 1, hasFactor: true };
      assert.deepEqual(await disown(NOON - DAY), older);
      const removals = (
        await audit.securityEvents({ userId: alice, limit: 50, event: 'factor_removed' })
      ).map(({ detail }) => detail);
      assert.deepEqual(removals.toSorted(), ['app', 'passkey']);
      const again = await openSession(fixture, alice);
      await identity.replaceRecoveryCodes(late, again, ['new code', 'newer code']);
      assert.deepEqual(await disown(NOON - DAY), { ...older, recoveryCodes: 0 });
      const none = { appSince: undefined, passkeys: 0, recoveryCodes: 0, hasFactor: false };
      assert.deepEqual(await disown(NOON - 2 * DAY), none);
    });
  },
};
