// The settings that operators change on a page.

import { html } from 'hono/html';
import { byOperator } from '../../../audit/doer.ts';
import { FACTOR_MODES } from '../../../identity/required-factor.ts';
import { SIGN_UP_MODES } from '../../../identity/sign-up.ts';
import type { User } from '../../../identity/user.ts';
import { removeLogo, setLogo } from '../../../site/logo.ts';
import {
  DOCUMENT_MODES,
  READING_MODES,
  REGISTRATION_MODES,
  type SettingName,
} from '../../../site/settings.ts';
import { changeSettings } from '../../../site/site.ts';
import { TEXT_LANGUAGES } from '../../../site/text-names.ts';
import { inputField, problemSummary, selectField, textField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, LANGUAGE_NAMES } from '../../pages/language.ts';
import { formTokenField } from '../../pages/page.ts';
import {
  type PictureProblem,
  pictureProblemText,
  pictureStatus,
  saveUpload,
} from '../../pages/picture-problem.ts';
import type { Upload, UploadProblem } from '../../pages/upload.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { accentCard, accentProblemText, logoCard } from './appearance.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/settings';

const FIELDS = [
  'name',
  'sentence',
  'contact',
  'links',
  'signUp',
  'reading',
  'secondFactor',
  'applications',
  'documents',
  'language',
  'timeZone',
] as const satisfies SettingName[];

type Field = (typeof FIELDS)[number];
type Texts = Record<Field, string>;

/** What was refused, as it was typed or chosen. */
interface Mistakes {
  texts?: Texts;
  refused?: readonly Field[];
  accent?: string;
  logo?: PictureProblem;
}

/** Show the settings in forms. */
export function settingsPage(_: SiteParts, c: PageContext): Promise<Response> {
  return pageOfSettings(c, {});
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
  return refused.length === 0 ? saved(c) : pageOfSettings(c, { texts, refused });
}

/** Save the accent of a preset's button, or else the one in the field. */
export async function saveAccent(
  { site, clock }: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  const accent = form.text(form.has('preset') ? 'preset' : 'accent');
  const refused = await changeSettings(byOperator(operator, clock), site, { accent });
  return refused.length === 0 ? saved(c) : pageOfSettings(c, { accent });
}

/** Save an uploaded logo. */
export async function saveLogo(
  { site, clock }: SiteParts,
  c: PageContext,
  operator: User,
  upload: Upload | UploadProblem,
): Promise<Response> {
  const by = byOperator(operator, clock);
  const logo = await saveUpload(upload, (file, signal) => setLogo(by, site, file, signal));
  return logo === undefined ? saved(c) : pageOfSettings(c, { logo });
}

/** Remove the logo; the drawn arch is shown again. */
export async function removeSavedLogo(
  { site, clock }: SiteParts,
  c: PageContext,
  operator: User,
): Promise<Response> {
  await removeLogo(byOperator(operator, clock), site);
  return saved(c);
}

function saved(c: PageContext): Response {
  return c.redirect(`${PATH}?saved`, 303);
}

function pageOfSettings(c: PageContext, mistakes: Mistakes): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const { texts = c.get('site'), refused = [] } = mistakes;
  const wrong = FIELDS.filter((name) => refused.includes(name));
  const problems: Partial<Record<Field, string>> = Object.fromEntries(
    wrong.map((name) => [name, t.problems[name]]),
  );
  const accent = mistakes.accent === undefined ? undefined : accentProblemText(c, mistakes.accent);
  const logo = mistakes.logo && pictureProblemText(mistakes.logo, language);
  const isWrong = wrong.length > 0 || accent !== undefined;
  const field = (name: Field) => ({
    name,
    label: t.labels[name],
    hint: t.hints[name],
    problem: problems[name],
    value: texts[name],
  });
  const options = SIGN_UP_MODES.map((value) => ({ value, label: t.signUp[value] }));
  const readers = READING_MODES.map((value) => ({ value, label: t.reading[value] }));
  const factors = FACTOR_MODES.map((value) => ({ value, label: t.secondFactor[value] }));
  const registering = REGISTRATION_MODES.map((value) => ({ value, label: t.applications[value] }));
  const documents = DOCUMENT_MODES.map((value) => ({ value, label: t.documents[value] }));
  const languages = TEXT_LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));
  return operatorPage(
    c,
    PATH,
    { title, status: mistakes.logo === undefined ? (isWrong ? 400 : 200) : pictureStatus(c, mistakes.logo) },
    html`
      <h1>${title}</h1>
      ${notice(c.req.query('saved') === undefined ? undefined : t.saved)}
      ${problemSummary({ ...problems, accent, logo }, language)}
      <section class="card">
        <form class="short" method="post" action="${PATH}">
          ${formTokenField(c)}
          ${inputField({ ...field('name'), required: true })}
          ${inputField(field('sentence'))}
          ${inputField(field('contact'))}
          ${textField({ ...field('links'), required: false })}
          ${selectField({ ...field('signUp'), options })}
          ${selectField({ ...field('reading'), options: readers })}
          ${selectField({ ...field('secondFactor'), options: factors })}
          ${selectField({ ...field('applications'), options: registering })}
          ${selectField({ ...field('documents'), options: documents })}
          ${selectField({ ...field('language'), options: languages })}
          ${selectField({ ...field('timeZone'), options: timeZones(texts.timeZone) })}
          <div class="actions">
            <button class="primary">${t.save}</button>
          </div>
        </form>
      </section>
      ${logoCard(c, logo)}
      ${accentCard(c, mistakes.accent)}`,
  );
}

// The list of Node lacks UTC and other names of the same zones, which the environment can have.
function timeZones(current: string): { value: string; label: string }[] {
  const names = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', current]);
  return [...names].sort().map((value) => ({ value, label: value }));
}

const words = bilingual(
  {
    saved: 'Settings saved.',
    save: 'Save settings',
    labels: {
      name: 'Name',
      sentence: 'In one sentence',
      contact: 'Contact',
      links: 'Links in the footer',
      signUp: 'Who can join',
      reading: 'Who can read',
      secondFactor: 'Who needs two-step verification',
      applications: 'Who can register applications',
      documents: 'Assistants without registration',
      language: 'Language',
      timeZone: 'Time zone',
    },
    hints: {
      name: 'At most 60 characters. It is on every page and in every mail.',
      sentence: 'What the community is about, in at most 160 characters. Visitors read it on the home page.',
      contact:
        'Where people reach you: an email address, an https address, or a page of this site such as /about. It is shown wherever a page or mail says to ask the operators.',
      links:
        'One on each line: a title, a space, and an https address or a path. At most 8. Example: Our chat https://chat.example',
      signUp: 'You can invite people as long as sign-up is not closed.',
      reading:
        'If only members can read, visitors sign in before they see posts, members, feeds or pictures. The pages that you write, the documentation, and signing in and joining stay open.',
      secondFactor:
        'Those who have none get seven days to set it up. After that, operators and moderators can’t open their pages without it, and with “Everyone” members can’t open any page.',
      applications:
        'Applications sign members in, and read what each member allows. With approval, an application works once an operator has activated it under Applications.',
      documents:
        'A member can connect an assistant that describes itself at an https address. It can only read, and members see its host as not checked. New ones follow the setting above: with approval they wait for it, and with operators only they are refused. “Not accepted” also stops those that are connected, until you accept them again.',
      language: 'For visitors who have not chosen a language, and whose browser prefers neither.',
      timeZone: 'Of the dates and times on pages and in mails. The API always has UTC+8.',
    },
    signUp: { open: 'Everyone', invitation: 'People with an invitation', closed: 'Nobody' },
    reading: { everyone: 'Everyone', members: 'Members only' },
    secondFactor: { nobody: 'Nobody', operators: 'Operators and moderators', everyone: 'Everyone' },
    applications: {
      open: 'Every member',
      approval: 'Every member, with an operator’s approval',
      operators: 'Operators only',
    },
    documents: { accepted: 'Accepted', refused: 'Not accepted' },
    problems: {
      name: 'Enter a name of 1 to 60 visible characters.',
      sentence: 'Enter one line of at most 160 characters.',
      contact: 'Enter an email address, an address that begins with https://, or a path such as /about.',
      links:
        'Write each link on a line: a title of at most 40 characters, a space, and an address that begins with https:// or /. At most 8 lines.',
      signUp: 'Choose one of the three.',
      reading: 'Choose one of the two.',
      secondFactor: 'Choose one of the three.',
      applications: 'Choose one of the three.',
      documents: 'Choose one of the two.',
      language: 'Choose one of the two.',
      timeZone: 'Choose a time zone from the list.',
    },
  },
  {
    saved: '设置已保存。',
    save: '保存设置',
    labels: {
      name: '名称',
      sentence: '一句话介绍',
      contact: '联系方式',
      links: '页脚链接',
      signUp: '谁可以加入',
      reading: '谁可以阅读',
      secondFactor: '谁必须启用两步验证',
      applications: '谁可以注册应用',
      documents: '未注册的助手',
      language: '语言',
      timeZone: '时区',
    },
    hints: {
      name: '最多 60 个字符，显示在每个页面和每封邮件中。',
      sentence: '用最多 160 个字符介绍社区，访客会在首页看到。',
      contact:
        '大家如何联系您：邮箱、https 网址，或本站页面（如 /about）。凡是提示联系管理员的页面和邮件都会显示。',
      links: '每行一个：标题、空格、https 网址或路径，最多 8 个。例如：聊天室 https://chat.example',
      signUp: '只要没有关闭注册，您就可以邀请他人加入。',
      reading:
        '如果只有成员可以阅读，访客需要先登录才能看到文章、成员、订阅源和图片。您撰写的页面、文档以及登录和注册页面仍对所有人开放。',
      secondFactor:
        '尚未启用的人有七天时间设置。逾期后，管理员和版主无法打开管理页面；选择“所有人”时，成员无法打开任何页面。',
      applications:
        '应用可以让成员登录，并读取各成员允许的内容。选择“需要批准”时，管理员在“应用”页面启用后应用才能使用。',
      documents:
        '成员可以连接在 https 地址上自我说明的助手。这类助手只能读取，成员会看到其主机名并注明未经核实。新的助手遵循上一项设置：需要批准时等待批准，仅限管理员时会被拒绝。选择“不接受”时，已连接的助手也会停止，直到您重新接受。',
      language: '用于没有选择语言、浏览器也未指明中英文的访客。',
      timeZone: '页面和邮件中日期与时间的时区。API 始终使用 UTC+8。',
    },
    signUp: { open: '所有人', invitation: '持有邀请的人', closed: '任何人都不可以' },
    reading: { everyone: '所有人', members: '仅限成员' },
    secondFactor: { nobody: '无需启用', operators: '管理员和版主', everyone: '所有人' },
    applications: { open: '所有成员', approval: '所有成员，需要管理员批准', operators: '仅限管理员' },
    documents: { accepted: '接受', refused: '不接受' },
    problems: {
      name: '请填写 1 到 60 个可见字符的名称。',
      sentence: '请填写一行不超过 160 个字符的文字。',
      contact: '请填写邮箱、以 https:// 开头的网址，或 /about 这样的路径。',
      links: '请每行填写一个链接：不超过 40 个字符的标题、空格，以及以 https:// 或 / 开头的地址，最多 8 行。',
      signUp: '请从三项中选择一项。',
      reading: '请从两项中选择一项。',
      secondFactor: '请从三项中选择一项。',
      applications: '请从三项中选择一项。',
      documents: '请从两项中选择一项。',
      language: '请从两项中选择一项。',
      timeZone: '请从列表中选择时区。',
    },
  },
);
