// Which mails a member gets from the community: about answers, and the weekly digest.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import { chooseMails, mailChoiceOf } from '../../../community/news.ts';
import type { User } from '../../../identity/user.ts';
import { attempted, hourlyLimit } from '../../../lib/attempt.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { tooOftenPage } from '../../pages/too-often.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { settingsPage, settingsTitle } from './page.ts';

const PATH = '/settings/mails';
const MOST_CHOICES_AN_HOUR = 60;

/** Show the choice. */
export async function mailsPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  const choice = await mailChoiceOf(site.community, user.id);
  const t = words[c.get('visitor').language];
  const title = settingsTitle(c, PATH);
  return settingsPage(
    c,
    PATH,
    { title },
    html`
      <h1>${title}</h1>
      ${notice(c.req.query('saved') === undefined ? undefined : t.saved)}
      ${addressLine(user, t)}
      <form method="post" action="${PATH}">
        ${formTokenField(c)}
        ${checkbox('answers', choice.answers, t.answers, t.answersHint)}
        ${checkbox('digest', choice.digest, t.digest, t.digestHint)}
        <div class="actions"><button class="primary">${t.save}</button></div>
      </form>
      <p class="soft">${t.always}</p>`,
  );
}

/** Save the choice. */
export async function saveMails(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const limit = hourlyLimit(site.clock(), MOST_CHOICES_AN_HOUR, 'mail_choice', user.id);
  const tooFast = await attempted(site.identity, limit);
  if (tooFast !== undefined) return tooOftenPage(c, tooFast, PATH);
  const choice = { answers: form.has('answers'), digest: form.has('digest') };
  await chooseMails(byMember(user, site.clock), site.community, choice);
  return c.redirect(`${PATH}?saved`, 303);
}

function addressLine(user: User, t: typeof words.en): Html {
  return user.email === undefined
    ? html`<p class="notice">${t.noAddress} <a href="/settings/security">${t.addAddress}</a></p>`
    : html`<p>${t.address} <strong>${user.email}</strong></p>`;
}

function checkbox(name: string, isChecked: boolean, label: string, hint: string): Html {
  return html`
    <div class="field">
      <label class="check">
        <input type="checkbox" name="${name}" value="yes"${isChecked ? html` checked` : ''}
          aria-describedby="${name}-hint"> ${label}
      </label>
      <span class="hint soft small" id="${name}-hint">${hint}</span>
    </div>`;
}

const words = bilingual(
  {
    saved: 'Saved.',
    address: 'Emails go to',
    noAddress: 'You get no emails, because your account has no confirmed address.',
    addAddress: 'Add an address',
    answers: 'Answers to me',
    answersHint:
      'Replies to your comments, mentions of you, and comments on your posts that you haven’t read on the site. At most one email an hour.',
    digest: 'Weekly digest',
    digestHint: 'Once a week: posts by the members and with the tags that you follow, and popular ones.',
    save: 'Save',
    always: 'Emails about the security of your account, and about decisions on your posts, are always sent.',
  },
  {
    saved: '已保存。',
    address: '邮件发送至',
    noAddress: '您的账号没有已确认的邮箱，因此不会收到邮件。',
    addAddress: '添加邮箱',
    answers: '对我的回应',
    answersHint: '您尚未在网站上阅读的回复、提及，以及对您文章的评论。每小时最多一封。',
    digest: '每周精选',
    digestHint: '每周一封：您关注的成员和标签的文章，以及热门文章。',
    save: '保存',
    always: '有关账号安全以及您文章处理结果的邮件始终会发送。',
  },
);
