// What people wrote, in mails from the site: names, titles and reasons never become links.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CurrentSite } from '../../../src/http/pages/visitor.ts';
import { unlinked } from '../../../src/http/site/joining/letter-words.ts';
import { letterOf } from '../../../src/http/site/joining/letters.ts';
import type { MailFacts } from '../../../src/identity/mail.ts';
import type { MailSubject } from '../../../src/identity/mail-store.ts';

const site = {
  name: 'Agora',
  baseUrl: 'https://agora.example',
  contact: '',
  timeZone: 'UTC',
} as CurrentSite;

const HOSTILE = 'locked. Sign in at https://agora-login.example/confirm now';

const news = {
  items: (['comment', 'reply', 'mention', 'post'] as const).map((kind) => ({
    kind,
    authorName: 'agora-login.example',
    postId: 1,
    postTitle: HOSTILE,
    commentId: kind === 'post' ? undefined : 2,
    excerpt: HOSTILE,
  })),
  hasMore: false,
};
const security = { at: 0, address: '192.0.2.7', application: HOSTILE };
const review = { clientId: 'app_1', name: HOSTILE };

const LETTERS: readonly [MailFacts['kind'], MailSubject][] = [
  ['callbacks_changed', { application: HOSTILE }],
  ['endpoint_disabled', { application: HOSTILE }],
  ['application_reviewed', { review: { ...review, of: 'application', isApproved: true } }],
  ['application_reviewed', { review: { ...review, of: 'application', isApproved: false }, reason: HOSTILE }],
  ['application_reviewed', { review: { ...review, of: 'logo', isApproved: true } }],
  ['application_reviewed', { review: { ...review, of: 'logo', isApproved: false } }],
  ['account_suspended', { reason: HOSTILE }],
  ['content_removed', { post: HOSTILE, reason: HOSTILE }],
  ['content_removed', { post: HOSTILE, isComment: true }],
  ['content_restored', { post: HOSTILE }],
  ['content_restored', { post: HOSTILE, isComment: true }],
  ['api_token', { token: { notice: 'unused', name: HOSTILE, endsAt: 0 } }],
  ['credential_exposed', { exposed: { kind: 'client_secret', source: 'report', name: HOSTILE } }],
  ['application_allowed', { security }],
  ['application_widened', { security }],
  ['replay_detected', { security }],
  ['answers', { news }],
  ['digest', { news }],
];

test('no sign that browsers take for the dot of a host joins two words of a name or title', () => {
  for (const dot of ['.', '\u3002', '\uff0e', '\uff61']) {
    assert.equal(unlinked(`evil${dot}example`), `evil${dot}\u2060example`);
  }
});

test('no name, title or reason in a mail is a link, or a sentence of the site’s own, and none is in a subject', () => {
  for (const [kind, about] of LETTERS) {
    for (const language of ['en', 'zh']) {
      const facts = { kind, about, language, username: 'agora-login.example', email: 'alice@x.example' };
      const { subject, text } = letterOf(site, facts);
      const which = `${kind} in ${language}: ${text}`;
      assert.doesNotMatch(subject, /locked|agora-login/, which);
      assert.doesNotMatch(text, /agora-login\.example|https:\/\/agora-login/, which);
      // An excerpt or a reason stands on a line of its own, below the sentence that says whose it is.
      for (const [, before] of text.matchAll(/(.?)locked\./g)) assert.match(before ?? '', /^[“《]?$/, which);
    }
  }
});
