// The page after the first sign-in of a member who was renamed, by an operator or by an import.

import { html } from 'hono/html';
import { takeUntoldUsername } from '../../../identity/renaming.ts';
import type { User } from '../../../identity/user.ts';
import { localPath } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { page } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';

const PATH = '/renamed';
// Percent-encoded, a path can be three times as long, and the server accepts 16 KiB.
const LONGEST_PATH = 4000;

/** The path to go to after a sign-in: `returnTo`, or for a member who must be told of a new username, the page. */
export async function pathAfterSignIn(
  { identity }: SiteParts,
  userId: number,
  returnTo: string,
): Promise<string> {
  if (returnTo.length > LONGEST_PATH) return returnTo;
  const isRenamed = (await takeUntoldUsername(identity, userId)) !== undefined;
  return isRenamed ? `${PATH}?${new URLSearchParams({ return_to: returnTo })}` : returnTo;
}

/** Tell a member of the new username, and lead on. */
export async function renamedPage({ identity }: SiteParts, c: PageContext, user: User): Promise<Response> {
  const returnTo = localPath(c.req.query('return_to'));
  const [earlier] = await identity.reads.earlierUsernames(user.id);
  if (earlier === undefined) return c.redirect(returnTo, 303);
  const t = words[c.get('visitor').language];
  return page(
    c,
    { title: t.title },
    html`
      <div class="narrow">
        <h1>${t.title}</h1>
        <p>${earlier.isReserved ? t.renamed(earlier.username) : t.imported(earlier.username)}</p>
        <p>${t.now} <strong>${user.username}</strong></p>
        <p>${user.email === undefined ? t.signIn : t.signInByEmail}</p>
        <p><a class="button primary" href="${returnTo}">${t.next}</a></p>
      </div>`,
  );
}

const words = bilingual(
  {
    title: 'You have a new username',
    renamed: (name: string) =>
      `An operator changed your username, which was “${name}”. No one else can have that name, and you can still sign in with it.`,
    imported: (name: string) =>
      `Your account came from another community, where your username was “${name}”. That name wasn’t available here.`,
    now: 'Your username is now',
    signIn: 'Use it when you sign in.',
    signInByEmail: 'Use it, or your email address, when you sign in.',
    next: 'Continue',
  },
  {
    title: '您的用户名已更改',
    renamed: (name) =>
      `管理员更改了您的用户名，原来是“${name}”。这个名字为您保留，他人无法使用，您仍可用它登录。`,
    imported: (name) => `您的账号来自另一个社区，在那里的用户名是“${name}”。这个名字在本站无法使用。`,
    now: '您现在的用户名是',
    signIn: '请用它登录。',
    signInByEmail: '登录时请使用它，或者使用您的邮箱。',
    next: '继续',
  },
);
