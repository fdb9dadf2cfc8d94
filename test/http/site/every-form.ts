// Every form of the site, with fields that it accepts.

import { PASSWORD } from '../../support/people.ts';

/** What the forms are about. */
interface Subjects {
  /** A post of the member who sends the forms. */
  post: number;
  draft: number;
  /** A removed post. */
  gone: number;
  /** Another member's posts. The second one is liked. */
  others: number;
  liked: number;
  comment: number;
  /** An API token. */
  token: number;
  /** Another member. */
  member: number;
  setupToken: string;
}

const POST = { title: 'Changed', body: 'Changed', category: '1', action: 'publish' };

/** List all forms by their paths, each with its fields except the form token. */
export function everyForm(subjects: Subjects): [string, Record<string, string>][] {
  const { post, draft, gone, others, liked, comment, token, member, setupToken } = subjects;
  return [
    ['/write', POST],
    ['/write/autosave', POST],
    ['/write/picture', POST],
    ['/pictures', {}],
    [`/posts/${post}/edit`, POST],
    [`/posts/${draft}/autosave`, POST],
    [`/posts/${post}/edit/picture`, POST],
    [`/posts/${draft}/publish`, {}],
    [`/posts/${post}/remove`, {}],
    [`/posts/${gone}/restore`, {}],
    [`/posts/${post}/comments`, { body: 'Changed' }],
    [`/posts/${post}/comments/picture`, { body: 'Changed' }],
    [`/comments/${comment}/reply`, { body: 'Changed' }],
    [`/comments/${comment}/reply/picture`, { body: 'Changed' }],
    [`/comments/${comment}/edit`, { body: 'Changed' }],
    [`/comments/${comment}/edit/picture`, { body: 'Changed' }],
    [`/comments/${comment}/remove`, {}],
    [`/posts/${others}/like`, {}],
    [`/posts/${liked}/unlike`, {}],
    [`/posts/${others}/bookmark`, {}],
    [`/posts/${liked}/unbookmark`, {}],
    ['/u/alice/follow', {}],
    ['/u/alice/unfollow', {}],
    ['/tags/any/follow', {}],
    ['/tags/any/unfollow', {}],
    ['/report', { post: String(others), reason: 'spam' }],
    ['/report/application', { client_id: 'app_any', reason: 'other' }],
    ['/keys', { keys: 'off' }],
    ['/view', { view: 'compact', return_to: '/' }],
    ['/colours', { colours: 'dark', return_to: '/' }],
    ['/settings/profile', { bio: 'Changed' }],
    ['/settings/profile/links', { link_1: 'https://changed.example/' }],
    ['/settings/profile/picture', {}],
    ['/settings/profile/picture/remove', {}],
    ['/settings/mails', { answers: 'yes', digest: 'yes' }],
    ['/settings/security/email', { email: 'b@x.example', email_password: PASSWORD, do: 'change' }],
    ['/settings/security/email/again', {}],
    ['/settings/security/password', { current: PASSWORD, new_password: 'another long walk' }],
    ['/settings/security/confirm', { return_to: '/settings/security' }],
    ['/settings/security/app/start', {}],
    ['/settings/security/app', { code: '000000' }],
    ['/settings/security/app/remove', {}],
    ['/settings/security/recovery-codes', {}],
    ['/settings/security/factors/keep', {}],
    ['/second-factor/keep', { token: 'x' }],
    ['/settings/security/passkeys', { name: 'Changed' }],
    ['/settings/security/passkeys/1', { name: 'Changed', do: 'rename' }],
    ['/settings/security/access', { token: String(token) }],
    ['/settings/browsers/sign-out', { browser: '' }],
    ['/settings/account/export', {}],
    ['/settings/account/close', { password: PASSWORD }],
    ['/settings/tokens', { name: 'Changed', scope: 'profile:read', expires: '7' }],
    [`/settings/tokens/${token}/edit`, { name: 'Changed', scope: 'profile:read' }],
    [`/settings/tokens/${token}/regenerate`, { overlap: '0' }],
    [`/settings/tokens/${token}/revoke`, {}],
    ['/settings/tokens/revoke-all', {}],
    ['/settings/tokens/test', { test_token: 'x' }],
    ['/credentials/revoke', { credentials: 'x' }],
    ['/settings/apps/app_any/remove', {}],
    ['/settings/apps/remove', { client: 'app_any' }],
    ['/settings/apps/app_any/scopes', { scope: 'profile:read' }],
    ['/settings/apps/app_any/receipt', {}],
    ['/settings/apps/app_any/pause', { act: 'pause' }],
    ['/settings/apps/app_any/sign-ins', { sign_in: 'x' }],
    ['/developers/apps/new', { kind: 'script' }],
    ['/developers/apps/offers', { client_id: 'app_any', mark: 'any', answer: 'accept' }],
    ['/developers/apps/app_any/settings', { name: 'Changed' }],
    ['/developers/apps/app_any/logo', {}],
    ['/developers/apps/app_any/logo/remove', {}],
    ['/developers/apps/app_any/secrets', { overlap: '0' }],
    ['/developers/apps/app_any/secrets/end', {}],
    ['/developers/apps/app_any/events', { kind: 'webhook', act: 'remove' }],
    ['/developers/apps/app_any/try', { state: 'x', code: 'x' }],
    ['/developers/apps/app_any/status', { act: 'delete' }],
    ['/settings/diary', { keep: 'yes' }],
    ['/settings/diary/export', { format: 'csv' }],
    ['/logout', {}],
    ['/language', { language: 'zh', return_to: '/' }],
    ['/signup', { username: 'newcomer', password: PASSWORD, return_to: '/' }],
    ['/login', { username: 'mallory', password: PASSWORD, return_to: '/' }],
    ['/login/passkey', { return_to: '/' }],
    ['/login/verify', { code: '000000', return_to: '/' }],
    ['/setup', { token: setupToken, username: 'newcomer', password: PASSWORD }],
    ['/forgot-password', { account: 'bob' }],
    ['/reset-password', { token: 'x', password: 'another long walk' }],
    ['/email/confirm', { token: 'x' }],
    ['/email/undo', { token: 'x' }],
    ['/not-me', { token: 'x' }],
    ['/unsubscribe', { token: 'x' }],
    ['/operator/first-steps', { do: 'dismiss' }],
    ['/operator/reports', { post: String(post), decision: 'remove' }],
    [`/operator/posts/${others}/remove`, { reason: 'Changed' }],
    [`/operator/posts/${gone}/restore`, {}],
    [`/operator/posts/${others}/change`, { change: 'pin' }],
    [`/operator/members/${member}/suspend`, {}],
    [`/operator/members/${member}/reset-link`, {}],
    [`/operator/members/${member}/email`, { email: 'changed@x.example', do: 'set' }],
    [`/operator/members/${member}/username`, { username: 'changed' }],
    [`/operator/members/${member}/factors`, {}],
    [`/operator/members/${member}/sign-out`, {}],
    [`/operator/members/${member}/close`, {}],
    [`/operator/members/${member}/role`, { role: 'moderator' }],
    [`/operator/members/${member}/membership`, { membership: 'never' }],
    ['/operator/applications/app_any/deactivate', {}],
    ['/operator/applications/review', { client_id: 'app_any', mark: 'x', decision: 'approve' }],
    ['/operator/reports/applications', { client_id: 'app_any' }],
    ['/operator/categories', { name: 'Changed' }],
    ['/operator/categories/change', { slug: 'general', change: 'up' }],
    ['/operator/tags/any', { change: 'hide' }],
    ['/operator/invitations', { note: 'Changed' }],
    [
      '/operator/settings',
      {
        name: 'Changed',
        sentence: '',
        contact: '',
        links: '',
        signUp: 'open',
        reading: 'members',
        secondFactor: 'operators',
        language: 'zh',
        timeZone: 'UTC',
      },
    ],
    ['/operator/settings/accent', { accent: '#2f6045' }],
    ['/operator/settings/logo', {}],
    ['/operator/settings/logo/remove', {}],
    ['/operator/texts/rules', { text_en: 'Changed', text_zh: '' }],
    ['/operator/invitations/revoke', { key: 'x' }],
    ['/operator/mails/again', { mail: '1' }],
    ['/operator/settings', { name: 'Changed', sentence: '', signUp: 'closed' }],
    ['/operator/waiting', { post: String(draft), version: '1', decision: 'approve' }],
    ['/operator/guests', { approval: 'newcomers', signUpsPerHour: '7' }],
  ];
}
