// The texts that operators write: the pages of the site, and the text of the home page.

import { html } from 'hono/html';
import { byOperator } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import { TEXT_NAMES, type TextName, type Texts } from '../../../site/text-names.ts';
import { saveTexts, type TextProblem } from '../../../site/texts.ts';
import { problemSummary, textField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { WRITTEN_TITLES } from '../../pages/written-titles.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/texts';

/** List the texts, with the languages in which each is written. */
export function textsPage(_: SiteParts, c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  const title = operatorTitle(c, PATH);
  return operatorPage(
    c,
    PATH,
    { title },
    html`
      <h1>${title}</h1>
      ${notice(c.req.query('saved') === undefined ? undefined : t.saved)}
      <p class="soft">${t.explanation}</p>
      <section class="card">
        <ul class="plain">
          ${TEXT_NAMES.map((name) => item(c, name))}
        </ul>
      </section>`,
  );
}

function item(c: PageContext, name: TextName): Html {
  const t = words[c.get('visitor').language];
  return html`
    <li class="row spread">
      <a href="${PATH}/${name}">${titleOf(c, name)}</a>
      <span class="soft small">${t.languages[c.get('site')[name]]}</span>
    </li>`;
}

/** Show a text in both languages, to be edited. */
export async function editTextPage({ site }: SiteParts, c: PageContext): Promise<Response> {
  const name = c.req.param('text') as TextName;
  return pageOfText(c, name, await site.reads.texts(name), {});
}

/** Save a text in both languages, or show it again with what is wrong. */
export async function saveText(
  { site, community, clock }: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  const name = c.req.param('text') as TextName;
  const texts = { en: form.text('text_en'), zh: form.text('text_zh') };
  const problems = await saveTexts(byOperator(operator, clock), site, community.renderer, name, texts);
  if (Object.keys(problems).length === 0) return c.redirect(`${PATH}?saved`, 303);
  return pageOfText(c, name, texts, problems);
}

function pageOfText(
  c: PageContext,
  name: TextName,
  texts: Texts,
  problems: { en?: TextProblem; zh?: TextProblem },
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = titleOf(c, name);
  const [en, zh] = [problems.en && t.problems[problems.en], problems.zh && t.problems[problems.zh]];
  const isRefused = en !== undefined || zh !== undefined;
  const field = { hint: t.hint, required: false };
  return operatorPage(
    c,
    PATH,
    { title, status: isRefused ? 400 : 200 },
    html`
      <h1>${title}</h1>
      ${problemSummary({ text_en: en, text_zh: zh }, language)}
      <p class="soft">${explanationOf(name, language)}</p>
      <form method="post" action="${PATH}/${name}">
        ${formTokenField(c)}
        ${textField({ ...field, name: 'text_en', label: t.english, problem: en, value: texts.en })}
        ${textField({ ...field, name: 'text_zh', label: t.chinese, problem: zh, value: texts.zh })}
        <div class="actions">
          <button class="primary">${t.save}</button>
        </div>
      </form>`,
  );
}

function titleOf(c: PageContext, name: TextName): string {
  const { language } = c.get('visitor');
  const { home, announcement } = words[language];
  return { ...WRITTEN_TITLES[language], home, announcement }[name];
}

function explanationOf(name: TextName, language: Language): string {
  const t = words[language];
  if (name === 'home') return t.homeExplanation;
  return name === 'announcement' ? t.announcementExplanation : t.pageExplanation(`/${name}`);
}

const words = bilingual(
  {
    saved: 'Text saved.',
    explanation: 'Your own words on the site. The footer of every page links to each page that you write.',
    home: 'Home page',
    announcement: 'Announcement',
    announcementExplanation:
      'Everyone sees it beside the lists of posts, or above them on a phone. Keep it short.',
    languages: { '': 'Not written', en: 'English', zh: 'Chinese', 'en zh': 'English and Chinese' },
    homeExplanation: 'This text is above the newest posts. Only visitors who are not signed in see it.',
    pageExplanation: (path: string) =>
      `This page is at ${path}. If you write it in one language only, everyone sees that one. Without any text there is no such page.`,
    english: 'In English',
    chinese: 'In Chinese',
    hint: 'Markdown, at most 20,000 characters.',
    save: 'Save text',
    problems: {
      too_long: 'The text can have at most 20,000 characters.',
      too_complex: 'This text takes too long to show. Make it simpler: fewer nested lists, tables or links.',
      busy: 'Many texts are being saved right now. Try again in a moment.',
    },
  },
  {
    saved: '内容已保存。',
    explanation: '您为网站撰写的内容。写好的页面会出现在每个页面底部的链接中。',
    home: '首页',
    announcement: '公告',
    announcementExplanation: '所有人都能在文章列表旁看到，手机上显示在列表上方。请保持简短。',
    languages: { '': '未撰写', en: '英文', zh: '中文', 'en zh': '中文和英文' },
    homeExplanation: '显示在最新文章上方，只有未登录的访客能看到。',
    pageExplanation: (path) =>
      `此页面的地址是 ${path}。如果只写一种语言，所有人看到的都是这种语言。没有内容时，页面不存在。`,
    english: '英文内容',
    chinese: '中文内容',
    hint: '支持 Markdown，最多 20,000 个字符。',
    save: '保存内容',
    problems: {
      too_long: '内容最多 20,000 个字符。',
      too_complex: '显示此内容需要的时间过长。请简化内容，减少嵌套的列表、表格或链接。',
      busy: '当前保存内容的人较多，请稍后再试。',
    },
  },
);
