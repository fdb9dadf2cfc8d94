// The posts and comments that wait for approval, which an operator or moderator approves, or refuses with a reason.

import { html } from 'hono/html';
import { byModerating } from '../../../audit/doer.ts';
import { approve, MOST_NOTE_CHARACTERS, refuse, type WaitingText } from '../../../community/approval.ts';
import { picturePath, shownPicturesIn, smallPicturePath } from '../../../community/picture.ts';
import { tagsIn } from '../../../community/tag.ts';
import type { User } from '../../../identity/user.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { unformatted } from '../../../lib/markdown.ts';
import { inputField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { agoElement } from '../../pages/moments.ts';
import { numberIn } from '../../pages/numbers.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { memberPath } from '../../pages/post-path.ts';
import { prose } from '../../pages/prose.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/waiting';
const MOST_SHOWN = 10;
const OUTCOMES = ['approved', 'refused', 'changed'] as const;

/** A reason that was refused, and the text that it was for. */
interface Mistake {
  of: WaitingText;
  reason: string;
}

/** Approve a waiting text as the moderator saw it, or refuse it with a reason. */
export async function decideWaiting(
  site: SiteParts,
  c: PageContext,
  moderator: User,
  form: PostedForm,
): Promise<Response> {
  const text = await textIn(site, form);
  const isSeen = text !== undefined && numberIn(form.text('version')) === text.version;
  if (!isSeen) return toOutcome(c, 'changed');
  const by = byModerating(moderator, site.clock);
  if (form.text('decision') === 'approve') {
    return toOutcome(c, (await approve(by, site.community, text)) ? 'approved' : 'changed');
  }
  const reason = form.text(reasonField(text));
  const outcome = await refuse(by, site.community, text, reason);
  if (outcome === 'reason') return waitingPage(site, c, moderator, { of: text, reason });
  return toOutcome(c, outcome ? 'refused' : 'changed');
}

async function textIn({ community }: SiteParts, form: PostedForm): Promise<WaitingText | undefined> {
  const commentId = numberIn(form.text('comment'));
  if (commentId !== undefined) return community.reads.findWaitingText({ commentId });
  const postId = numberIn(form.text('post'));
  return postId === undefined ? undefined : community.reads.findWaitingText({ postId });
}

// Each form of the page has a field with a name of its own, since the name is the field's id.
function reasonField({ postId, commentId }: WaitingText): string {
  return commentId === undefined ? `reason-post-${postId}` : `reason-comment-${commentId}`;
}

function toOutcome(c: PageContext, outcome: (typeof OUTCOMES)[number]): Response {
  return c.redirect(`${PATH}?done=${outcome}`, 303);
}

/** Show what waits, the longest waiting first. */
export async function waitingPage(
  site: SiteParts,
  c: PageContext,
  moderator: User,
  mistake?: Mistake,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const title = operatorTitle(c, PATH);
  const queue = await site.community.reads.waitingTexts(MOST_SHOWN);
  const outcome = OUTCOMES.find((name) => name === c.req.query('done'));
  const now = site.clock();
  return operatorPage(
    c,
    PATH,
    { title, status: mistake === undefined ? 200 : 400 },
    html`
      <h1>${title}</h1>
      ${notice(outcome && t.done[outcome])}
      ${queue.map((text) => waitingCard(c, text, now, mistake))}
      ${queue.length === 0 && html`<p class="empty">${t.nothing}</p>`}
      ${queue.length === MOST_SHOWN && html`<p class="soft">${t.more}</p>`}
      ${moderator.isOperator && html`<p><a href="/operator/guests">${t.settings}</a></p>`}`,
  );
}

function waitingCard(c: PageContext, text: WaitingText, now: Timestamp, mistake: Mistake | undefined): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const { postId, commentId, postTitle, authorName, body, since, categoryName } = text;
  const tags = tagsIn(text);
  const isPost = commentId === undefined;
  return html`
    <section class="card">
      <p class="eyebrow">
        ${isPost ? t.post : t.comment} ·
        ${categoryName !== undefined && html`${categoryName} ·`}
        <a href="${memberPath(authorName)}">${authorName}</a> ·
        ${agoElement(since, now, c.get('visitor'))}
      </p>
      <h2>${isPost ? postTitle : html`<a href="/posts/${postId}">${postTitle}</a>`}</h2>
      ${tags.length > 0 && html`<p class="tags">${tags.map((name) => html`<span>#${name}</span>`)}</p>`}
      <div class="excerpted" tabindex="0" role="group" aria-label="${t.text}">${prose(unformatted(body))}</div>
      ${picturesOf(c, body)}
      ${decisionForm(c, text, mistake)}
    </section>`;
}

// At least twice the width at which it is shown, for sharp screens.
const PICTURE_WIDTH = 320;

function picturesOf(c: PageContext, body: string): Html | '' {
  const t = words[c.get('visitor').language];
  const pictures = shownPicturesIn(body);
  if (pictures.length === 0) return '';
  return html`
    <ul class="named-pictures" aria-label="${t.pictures}">
      ${pictures.map(({ picture, description }) => {
        const { width, height } = picture;
        return html`
          <li><a class="thumbnail" href="${picturePath(picture)}"><img
            src="${smallPicturePath(picture, PICTURE_WIDTH)}" width="${width}" height="${height}"
            alt="${description || t.undescribed}" loading="lazy"></a>
            <span class="soft small">${description || t.undescribed}</span></li>`;
      })}
    </ul>`;
}

// Refusing comes first, because the Enter key in the field of the reason presses the first button.
function decisionForm(c: PageContext, text: WaitingText, mistake: Mistake | undefined): Html {
  const t = words[c.get('visitor').language];
  const { postId, commentId, version } = text;
  const isPost = commentId === undefined;
  const wrong = mistake?.of.postId === postId && mistake.of.commentId === commentId ? mistake : undefined;
  return html`
    <form method="post" action="${PATH}">
      ${formTokenField(c)}
      <input type="hidden" name="post" value="${postId}">
      ${!isPost && html`<input type="hidden" name="comment" value="${commentId}">`}
      <input type="hidden" name="version" value="${version}">
      ${inputField({
        name: reasonField(text),
        label: t.reason,
        hint: isPost ? t.hintOfPost : t.hintOfComment,
        problem: wrong && t.wrongReason,
        value: wrong?.reason ?? '',
      })}
      <div class="actions">
        <button name="decision" value="refuse">${isPost ? t.returnPost : t.refuseComment}</button>
        <button class="primary" name="decision" value="approve">${isPost ? t.approvePost : t.approveComment}</button>
      </div>
    </form>`;
}

const words = bilingual(
  {
    nothing: 'Nothing waits for approval.',
    more: 'More will appear here once you’ve decided on these.',
    settings: 'What waits for approval',
    post: 'Post',
    comment: 'Comment',
    text: 'Waiting text',
    pictures: 'Pictures',
    undescribed: 'No description',
    reason: 'Reason, if you don’t approve it',
    hintOfPost: 'The author reads it. The post goes back to the author’s drafts.',
    hintOfComment: 'The author reads it. The comment is removed.',
    wrongReason: `Enter a reason of 1 to ${MOST_NOTE_CHARACTERS} characters on one line.`,
    approvePost: 'Approve post',
    approveComment: 'Approve comment',
    returnPost: 'Return post',
    refuseComment: 'Remove comment',
    done: {
      approved: 'Approved and published. The author was notified.',
      refused: 'Not published. The author was notified and can read your reason.',
      changed: 'Nothing was done: the author changed the text, or it doesn’t wait any more.',
    },
  },
  {
    nothing: '没有待审核的内容。',
    more: '处理完这些后，会显示其余的内容。',
    settings: '设置哪些内容需要审核',
    post: '文章',
    comment: '评论',
    text: '待审核的正文',
    pictures: '图片',
    undescribed: '无说明',
    reason: '不批准的原因',
    hintOfPost: '作者会看到原因，文章会退回作者的草稿。',
    hintOfComment: '作者会看到原因，评论会被移除。',
    wrongReason: `请填写一行 1 到 ${MOST_NOTE_CHARACTERS} 个字符的原因。`,
    approvePost: '批准文章',
    approveComment: '批准评论',
    returnPost: '退回文章',
    refuseComment: '移除评论',
    done: {
      approved: '已批准并发布，作者会收到通知。',
      refused: '未发布。作者会收到通知，并能看到原因。',
      changed: '未做任何更改：作者已修改内容，或该内容已不在等待审核。',
    },
  },
);
