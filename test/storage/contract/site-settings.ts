// The settings that operators change on a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asOperator } from '../doers.ts';
import { type Open, openFixture } from '../fixture.ts';
import { NOON } from '../records.ts';

function registerTests(open: Open): void {
  test('each setting has the text that was saved last, and an entry in the audit log for each change', async (t) => {
    const { site, audit, alice } = await openFixture(open, t);
    assert.deepEqual(await site.storedSettings(), {});

    await site.saveSettings(asOperator(alice, NOON), { name: 'Agora', signUp: 'closed' });
    assert.deepEqual(await site.storedSettings(), { name: 'Agora', signUp: 'closed' });
    await site.saveSettings(asOperator(alice, NOON), { name: 'Stoa', sentence: 'x'.repeat(201) });

    assert.deepEqual(await site.storedSettings(), {
      name: 'Stoa',
      sentence: 'x'.repeat(201),
      signUp: 'closed',
    });
    const entries = await audit.auditEvents({ limit: 10 });
    assert.deepEqual(
      entries.map(({ action, actorName, subject, detail }) => [action, actorName, subject.id, detail]),
      [
        ['setting.change', 'alice', 'sentence', {}],
        ['setting.change', 'alice', 'name', { value: 'Stoa' }],
        ['setting.change', 'alice', 'signUp', { value: 'closed' }],
        ['setting.change', 'alice', 'name', { value: 'Agora' }],
      ],
    );
  });

  test('a text is saved with the languages that it has, as one change', async (t) => {
    const { site, audit, alice } = await openFixture(open, t);
    const by = asOperator(alice, NOON);

    await site.saveTexts(by, 'rules', { en: 'Be kind.', zh: '友善。' });
    assert.deepEqual(await site.storedSettings(), { rules: 'en zh' });
    await site.saveTexts(by, 'rules', { en: '', zh: '要友善。' });

    assert.deepEqual(await site.texts('rules'), { en: '', zh: '要友善。' });
    assert.deepEqual(await site.texts('about'), { en: '', zh: '' });
    assert.deepEqual(await site.storedSettings(), { rules: 'zh' });
    assert.equal((await audit.auditEvents({ limit: 10 })).length, 2);
  });

  test('a logo is saved with its version, replaces the one before, and is removed, each as one change', async (t) => {
    const { site, audit, alice } = await openFixture(open, t);
    const by = asOperator(alice, NOON);
    const bytesOf = async (version: string) => [...((await site.findLogo(version)) ?? [])];

    await site.saveLogo(by, 'aaaaaaaaaaaa', new Uint8Array([1]));
    await site.saveLogo(by, 'bbbbbbbbbbbb', new Uint8Array([0, 255]));
    assert.deepEqual(await site.storedSettings(), { logo: 'bbbbbbbbbbbb' });
    assert.deepEqual([await bytesOf('aaaaaaaaaaaa'), await bytesOf('bbbbbbbbbbbb')], [[], [0, 255]]);
    await site.removeLogo(by);

    assert.deepEqual(await site.storedSettings(), { logo: '' });
    assert.equal(await site.findLogo('bbbbbbbbbbbb'), undefined);
    const entries = await audit.auditEvents({ limit: 10 });
    assert.deepEqual(
      entries.map(({ subject, detail }) => [subject.id, detail]),
      [
        ['logo', { value: '' }],
        ['logo', { value: 'bbbbbbbbbbbb' }],
        ['logo', { value: 'aaaaaaaaaaaa' }],
      ],
    );
  });
}

export const siteSettings = { title: 'the settings of the site', registerTests };
