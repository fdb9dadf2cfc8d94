// The texts of mails about answers, and of the weekly digest. Each ends with the link that ends its kind.

import type { News, NewsItem } from '../../../identity/mail-store.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { postPath } from '../../pages/post-path.ts';
import type { CurrentSite } from '../../pages/visitor.ts';
import { unlinked } from './letter-words.ts';

/** The letters by the purpose of the mail. `link` ends mails of this purpose. Each is written only if it is called. */
export function newsLetters(site: CurrentSite, language: Language, news: News | undefined, link: string) {
  const t = words[language];
  const { items, hasMore } = news ?? { items: [], hasMore: false };
  const list = items.map((item) => paragraphOf(site, language, item));
  const end = [t.choose(`${site.baseUrl}/settings/mails`), t.stop, link];
  return {
    answers: () => ({
      subject: hasMore ? t.manyAnswers(site.name) : t.answers(site.name, items.length),
      paragraphs: [...list, ...(hasMore ? [t.more, `${site.baseUrl}/notifications`] : []), ...end],
    }),
    digest: () => ({
      subject: t.digest(site.name),
      paragraphs: [t.popular, ...list, ...(hasMore ? [t.morePosts, `${site.baseUrl}/popular`] : []), ...end],
    }),
  };
}

function paragraphOf({ baseUrl }: CurrentSite, language: Language, item: NewsItem): string {
  const { kind, commentId, postId: id, postTitle: title } = item;
  const path =
    commentId === undefined ? postPath({ id, title, status: 'published' }) : `/comments/${commentId}`;
  const what = words[language].what[kind](unlinked(item.authorName), unlinked(title));
  return [what, ...(item.excerpt === '' ? [] : [unlinked(item.excerpt)]), baseUrl + path].join('\n');
}

const words = bilingual(
  {
    answers: (site: string, count: number) =>
      count === 1 ? `An answer to you on ${site}` : `${count} answers to you on ${site}`,
    manyAnswers: (site: string) => `Answers to you on ${site}`,
    digest: (site: string) => `This week on ${site}`,
    popular:
      'From the last seven days: posts by the members and with the tags that you follow, and popular ones.',
    what: {
      comment: (name: string, title: string) => `${name} commented on your post “${title}”:`,
      reply: (name: string, title: string) => `${name} replied to your comment on “${title}”:`,
      mention: (name: string, title: string) => `${name} mentioned you in “${title}”:`,
      post: (name: string, title: string) => `“${title}” by ${name}`,
    },
    more: 'There are more. All of them are on this page:',
    morePosts: 'There are more on this page:',
    choose: (address: string) => `Choose which emails you get: ${address}`,
    stop: 'Stop emails of this kind, without signing in:',
  },
  {
    answers: (site: string, count: number) => `您在 ${site} 收到 ${count} 条回应`,
    manyAnswers: (site: string) => `您在 ${site} 收到多条回应`,
    digest: (site: string) => `${site} 本周精选`,
    popular: '过去七天：您关注的成员和标签的文章，以及热门文章。',
    what: {
      comment: (name: string, title: string) => `${name} 评论了您的文章《${title}》：`,
      reply: (name: string, title: string) => `${name} 回复了您在《${title}》下的评论：`,
      mention: (name: string, title: string) => `${name} 在《${title}》中提到了您：`,
      post: (name: string, title: string) => `《${title}》，作者 ${name}`,
    },
    more: '还有更多，请在此页面查看：',
    morePosts: '更多文章见此页面：',
    choose: (address: string) => `选择接收哪些邮件：${address}`,
    stop: '不再接收此类邮件（无需登录）：',
  },
);
