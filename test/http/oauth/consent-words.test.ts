// The words of the consent page say only what is there.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openApp } from '../../support/app.ts';
import { browserOf, notebook, person } from '../../support/people.ts';
import { answerConsent, authorizationRequest } from '../../support/relying-party.ts';

const app = await openApp();
after(() => app.close());
const client = await notebook(app.portico);
await person(app.portico, 'alice');

const WORDS = {
  en: { title: /Let Notebook read/, missing: /wallet|private message|leave (?:it|them) ticked/i },
  zh: { title: /允许 Notebook 读取/, missing: /钱包|私信|勾选的项目/ },
} as const;

describe('The consent page', () => {
  for (const language of ['en', 'zh'] as const) {
    test(`names nothing that this site doesn’t have, the first time and again: ${language}`, async () => {
      const browser = await browserOf(app, 'alice', language);
      const request = authorizationRequest(client, { prompt: 'consent' });
      const { title, missing } = WORDS[language];

      const first = await browser.read(`/oauth/authorize?${request}`);
      await answerConsent(browser, request);
      const again = await browser.read(`/oauth/authorize?${request}`);

      for (const page of [first, again]) {
        assert.match(page, title);
        assert.doesNotMatch(page, missing);
        // Whatever the page says about boxes, it has some.
        assert.match(page, /<input type="checkbox" name="scope"/);
      }
    });
  }
});
