// The posts and comments that operators and moderators removed last, each with a button that restores it.

import { html } from 'hono/html';
import type { RemovedContent } from '../../../community/moderation.ts';
import type { Timestamp } from '../../../lib/clock.ts';
import { unformatted } from '../../../lib/markdown.ts';
import { bilingual } from '../../pages/language.ts';
import { agoElement } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { memberPath } from '../../pages/post-path.ts';
import { prose } from '../../pages/prose.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/removed';
const MOST_SHOWN = 30;

/** Show the content that was removed last. */
export function removedPage(site: SiteParts, c: PageContext): Promise<Response> {
  return pageOfRemoved(site, c, { isRefused: false });
}

/** The same, also after a text couldn't be restored. */
export async function pageOfRemoved(
  site: SiteParts,
  c: PageContext,
  { isRefused }: { isRefused: boolean },
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const title = operatorTitle(c, PATH);
  const removed = await site.community.reads.removedContent(MOST_SHOWN);
  const now = site.clock();
  return operatorPage(
    c,
    PATH,
    { title, status: isRefused ? 409 : 200 },
    html`
      <h1>${title}</h1>
      ${isRefused && html`<p class="notice wrong" role="alert">${t.refused}</p>`}
      ${notice(c.req.query('done') === 'given_back' ? t.givenBack : undefined)}
      <p class="soft">${t.explanation}</p>
      ${removed.length === 0 && html`<p class="empty">${t.nothing}</p>`}
      ${removed.map((content) => removedCard(c, content, now))}`,
  );
}

function removedCard(c: PageContext, content: RemovedContent, now: Timestamp): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const { postId, commentId, authorName, postTitle, text, removedAt, reason } = content;
  return html`
    <section class="card">
      <p class="eyebrow">
        ${commentId === undefined ? t.post : t.comment} · <a href="${memberPath(authorName)}">${authorName}</a>
      </p>
      <h2>${postTitle}</h2>
      <div class="excerpted" tabindex="0" role="group" aria-label="${t.text}">${prose(unformatted(text))}</div>
      <p class="soft small">
        ${t.removed} ${agoElement(removedAt, now, c.get('visitor'))}
        ${reason !== undefined && html`· ${t.reason(reason)}`}
      </p>
      ${restoreForm(c, { postId, commentId })}
    </section>`;
}

/** The button that restores a removed post or comment, or a link where a button would be too large. */
export function restoreForm(
  c: PageContext,
  { postId, commentId }: { postId: number; commentId: number | undefined },
  look: 'button' | 'link' = 'button',
): Html {
  const t = words[c.get('visitor').language];
  const [path, button] =
    commentId === undefined
      ? [`posts/${postId}`, t.restorePost]
      : [`comments/${commentId}`, t.restoreComment];
  return html`
    <form method="post" action="/operator/${path}/restore">
      ${formTokenField(c)}
      <button class="${look}">${button}</button>
    </form>`;
}

const words = bilingual(
  {
    explanation:
      'What operators and moderators removed in the last 30 days, newest first. Authors can’t restore it.',
    nothing: 'Nothing was removed.',
    refused:
      'This can’t be restored: it was restored already, its author had removed it before, its text was deleted after 30 days, or its author’s account is closed.',
    givenBack: 'The removal was undone. The author had removed this post before, and can restore it now.',
    post: 'Post',
    comment: 'Comment',
    text: 'Removed text',
    removed: 'Removed',
    reason: (reason: string) => `Reason: ${reason}`,
    restorePost: 'Restore post',
    restoreComment: 'Restore comment',
  },
  {
    explanation: '管理员和版主在最近 30 天内移除的内容，最新的在前。作者不能自行恢复。',
    nothing: '没有被移除的内容。',
    refused: '无法恢复：内容已经恢复，或作者此前已自行移除，或内容在 30 天后已删除，或作者的账号已关闭。',
    givenBack: '已撤销移除。作者此前已自行移除这篇文章，现在可以自行恢复。',
    post: '文章',
    comment: '评论',
    text: '被移除的正文',
    removed: '移除于',
    reason: (reason) => `原因：${reason}`,
    restorePost: '恢复文章',
    restoreComment: '恢复评论',
  },
);
