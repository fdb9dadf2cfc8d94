// The settings that operators change on a page.

import { html } from 'hono/html';
import { byOperator } from '../../../audit/doer.ts';
import { SIGN_UP_MODES } from '../../../identity/sign-up.ts';
import type { User } from '../../../identity/user.ts';
import type { SettingName } from '../../../site/settings.ts';
import { changeSettings } from '../../../site/site.ts';
import { inputField, problemSummary, selectField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { formTokenField } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/settings';

const FIELDS = ['name', 'sentence', 'signUp'] as const satisfies SettingName[];

type Texts = Record<(typeof FIELDS)[number], string>;

/** Show the settings in a form. */
export function settingsPage(_: SiteParts, c: PageContext): Promise<Response> {
  return pageOfSettings(c, c.get('site'), []);
}

/** Save the settings that were changed, or show the form again with what is wrong. */
export async function saveSettings(
  { site, clock }: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  const texts = Object.fromEntries(FIELDS.map((name) => [name, form.text(name)])) as Texts;
  const refused = await changeSettings(byOperator(operator, clock), site, texts);
  return refused.length === 0 ? c.redirect(`${PATH}?saved`, 303) : pageOfSettings(c, texts, refused);
}

function pageOfSettings(c: PageContext, texts: Texts, refused: readonly SettingName[]): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const problems = Object.fromEntries(refused.map((name) => [name, t.problems[name]]));
  const field = (name: (typeof FIELDS)[number]) => ({
    name,
    label: t.labels[name],
    hint: t.hints[name],
    problem: problems[name],
    value: texts[name],
  });
  const options = SIGN_UP_MODES.map((value) => ({ value, label: t.signUp[value] }));
  return operatorPage(
    c,
    PATH,
    { title, status: refused.length === 0 ? 200 : 400 },
    html`
      <h1>${title}</h1>
      ${notice(c.req.query('saved') === undefined ? undefined : t.saved)}
      ${problemSummary(problems, language)}
      <section class="card">
        <form method="post" action="${PATH}">
          ${formTokenField(c)}
          ${inputField({ ...field('name'), required: true })}
          ${inputField(field('sentence'))}
          ${selectField({ ...field('signUp'), options })}
          <div class="actions">
            <button class="primary">${t.save}</button>
          </div>
        </form>
      </section>`,
  );
}

const words = bilingual(
  {
    saved: 'Settings saved.',
    save: 'Save settings',
    labels: { name: 'Name', sentence: 'In one sentence', signUp: 'Who can join' },
    hints: {
      name: 'At most 60 characters. It is on every page and in every mail.',
      sentence: 'What the community is about, in at most 160 characters. Visitors read it on the home page.',
      signUp: 'You can invite people as long as sign-up is not closed.',
    },
    signUp: { open: 'Everyone', invitation: 'People with an invitation', closed: 'Nobody' },
    problems: {
      name: 'Enter a name of 1 to 60 visible characters.',
      sentence: 'Enter one line of at most 160 characters.',
      signUp: 'Choose one of the three.',
    },
  },
  {
    saved: '设置已保存。',
    save: '保存设置',
    labels: { name: '名称', sentence: '一句话介绍', signUp: '谁可以加入' },
    hints: {
      name: '最多 60 个字符，显示在每个页面和每封邮件中。',
      sentence: '用最多 160 个字符介绍社区，访客会在首页看到。',
      signUp: '只要没有关闭注册，您就可以邀请他人加入。',
    },
    signUp: { open: '所有人', invitation: '持有邀请的人', closed: '任何人都不可以' },
    problems: {
      name: '请填写 1 到 60 个可见字符的名称。',
      sentence: '请填写一行不超过 160 个字符的文字。',
      signUp: '请从三项中选择一项。',
    },
  },
);
