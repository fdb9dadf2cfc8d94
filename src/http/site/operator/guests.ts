// The settings that keep bad guests out: names, mail domains and networks that are refused, and what waits for
// approval.

import { html } from 'hono/html';
import { byOperator } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import { comesFrom } from '../../../lib/network.ts';
import { APPROVAL_MODES, linesOf, readSetting, type SettingName } from '../../../site/settings.ts';
import { changeSettings } from '../../../site/site.ts';
import { inputField, problemSummary, selectField, textField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { formTokenField } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { operatorPage, operatorTitle } from './page.ts';

const PATH = '/operator/guests';

const LISTS = ['reservedNames', 'blockedMailDomains', 'blockedNetworks'] as const;
const FIELDS = ['approval', 'textsToApprove', 'signUpsPerHour', ...LISTS] as const satisfies SettingName[];

type Field = (typeof FIELDS)[number];
type Texts = Record<Field, string>;
type Problems = Partial<Record<Field, string>>;

/** Show the settings in a form. */
export function guestsPage(_: SiteParts, c: PageContext): Promise<Response> {
  const settings = c.get('site');
  return pageOfGuests(
    c,
    textsFrom((name) => String(settings[name])),
    {},
  );
}

/** Save the settings that were changed, or show the form again with what is wrong. */
export async function saveGuests(
  { site, clock, clientAddress }: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  const texts = textsFrom((name) => form.text(name));
  const own = ownNetworkIn(texts.blockedNetworks, clientAddress(c));
  const t = words[c.get('visitor').language];
  if (own !== undefined) return pageOfGuests(c, texts, { blockedNetworks: t.ownNetwork(own) });
  const refused = await changeSettings(byOperator(operator, clock), site, texts);
  if (refused.length === 0) return c.redirect(`${PATH}?saved`, 303);
  const wrong = FIELDS.filter((name) => refused.includes(name));
  const problems = wrong.map((name) => [name, t.problems[name](wrongLine(name, texts[name]))]);
  return pageOfGuests(c, texts, Object.fromEntries(problems));
}

function textsFrom(read: (name: Field) => string): Texts {
  return Object.fromEntries(FIELDS.map((name) => [name, read(name)])) as Texts;
}

// An operator who blocks the own network could not sign in again to undo it.
function ownNetworkIn(networks: string, address: string): string | undefined {
  if (readSetting('blockedNetworks', networks) === undefined) return undefined;
  return linesOf(networks).find((network) => comesFrom([network], address));
}

// The first line that the list can't have; the whole text of a setting that has one line.
function wrongLine(name: Field, text: string): string {
  return linesOf(text).find((line) => readSetting(name, line) === undefined) ?? '';
}

function pageOfGuests(c: PageContext, texts: Texts, problems: Problems): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = operatorTitle(c, PATH);
  const field = (name: Field) => ({
    name,
    label: t.labels[name],
    hint: t.hints[name],
    problem: problems[name],
    value: texts[name],
  });
  const numberField = (name: 'textsToApprove' | 'signUpsPerHour', most: number) =>
    inputField({
      ...field(name),
      type: 'number',
      required: true,
      attributes: html`min="1" max="${most}"`,
    });
  const options = APPROVAL_MODES.map((value) => ({ value, label: t.approval[value] }));
  return operatorPage(
    c,
    PATH,
    { title, status: Object.keys(problems).length === 0 ? 200 : 400 },
    html`
      <h1>${title}</h1>
      ${notice(c.req.query('saved') === undefined ? undefined : t.saved)}
      ${problemSummary(problems, language)}
      <form class="card short" method="post" action="${PATH}">
        ${formTokenField(c)}
        <h2>${t.approvalTitle}</h2>
        ${selectField({ ...field('approval'), options })}
        ${numberField('textsToApprove', 100)}
        <h2>${t.joiningTitle}</h2>
        ${numberField('signUpsPerHour', 10_000)}
        ${LISTS.map((name) => textField({ ...field(name), required: false }))}
        <div class="actions">
          <button class="primary">${t.save}</button>
        </div>
      </form>`,
  );
}

const words = bilingual(
  {
    saved: 'Settings saved.',
    save: 'Save settings',
    approvalTitle: 'First posts',
    joiningTitle: 'Joining and signing in',
    labels: {
      approval: 'Posts and comments of new members',
      textsToApprove: 'How many wait',
      signUpsPerHour: 'New accounts an hour from one network address',
      reservedNames: 'More reserved usernames',
      blockedMailDomains: 'Blocked mail domains',
      blockedNetworks: 'Blocked network addresses',
    },
    hints: {
      approval: 'What waits is under “Waiting”. Only its author, moderators and operators see it.',
      textsToApprove:
        'A member who has this many published posts and comments publishes without approval. 1 to 100.',
      signUpsPerHour:
        '1 to 10,000. Raise it for an evening when many people join from one network. Invitations don’t count.',
      reservedNames:
        'One a line. Nobody can choose them, nor names that look like them. The usual ones, such as “admin”, and the site’s name are always reserved.',
      blockedMailDomains: 'One a line, such as throwaway.example. Subdomains are blocked too.',
      blockedNetworks:
        'One a line: an address such as 192.0.2.7 or a range such as 192.0.2.0/24 or 2001:db8::/48. They can’t join or sign in. Members who are signed in stay signed in.',
    },
    approval: { off: 'Appear at once', newcomers: 'Wait for approval' },
    problems: {
      approval: () => 'Choose one of the two.',
      textsToApprove: (text: string) => `“${text}” is not a number from 1 to 100.`,
      signUpsPerHour: (text: string) => `“${text}” is not a number from 1 to 10,000.`,
      reservedNames: (line: string) =>
        line === ''
          ? 'The list of names can have at most 1,000 lines.'
          : `“${line}” is not a name of 1 to 60 visible characters.`,
      blockedMailDomains: (line: string) =>
        line === ''
          ? 'The list of domains can have at most 1,000 lines.'
          : `“${line}” is not a domain such as throwaway.example.`,
      blockedNetworks: (line: string) =>
        line === ''
          ? 'The list of networks can have at most 1,000 lines.'
          : `“${line}” is not an address or a range such as 192.0.2.0/24.`,
    },
    ownNetwork: (network: string) =>
      `You are in ${network} yourself, and could not sign in again. Leave it out, or save the list from another network.`,
  },
  {
    saved: '设置已保存。',
    save: '保存设置',
    approvalTitle: '最初的文章',
    joiningTitle: '加入和登录',
    labels: {
      approval: '新成员的文章和评论',
      textsToApprove: '需要审核的篇数',
      signUpsPerHour: '每个网络地址每小时可新建的账号数',
      reservedNames: '更多保留的用户名',
      blockedMailDomains: '屏蔽的邮箱域名',
      blockedNetworks: '屏蔽的网络地址',
    },
    hints: {
      approval: '待审核的内容列在“待审核”页，只有作者、版主和管理员能看到。',
      textsToApprove: '已发布的文章和评论达到此数后，成员发布内容不再需要审核。1 到 100。',
      signUpsPerHour: '1 到 10,000。如果有很多人要在同一网络下加入，可以临时调高。使用邀请加入的不计入。',
      reservedNames:
        '每行一个。任何人都不能使用这些名称或与之外形相似的名称。“admin”等常见名称和本站名称始终保留。',
      blockedMailDomains: '每行一个，例如 throwaway.example，其子域名同样会被屏蔽。',
      blockedNetworks:
        '每行一个：地址（如 192.0.2.7）或网段（如 192.0.2.0/24、2001:db8::/48）。这些网络无法注册或登录；已登录的成员不受影响。',
    },
    approval: { off: '立即发布', newcomers: '等待审核' },
    problems: {
      approval: () => '请从两项中选择一项。',
      textsToApprove: (text: string) => `“${text}”不是 1 到 100 的数字。`,
      signUpsPerHour: (text: string) => `“${text}”不是 1 到 10,000 的数字。`,
      reservedNames: (line: string) =>
        line === '' ? '名称列表最多 1,000 行。' : `“${line}”不是 1 到 60 个可见字符的名称。`,
      blockedMailDomains: (line: string) =>
        line === '' ? '域名列表最多 1,000 行。' : `“${line}”不是 throwaway.example 这样的域名。`,
      blockedNetworks: (line: string) =>
        line === '' ? '网络列表最多 1,000 行。' : `“${line}”不是地址，也不是 192.0.2.0/24 这样的网段。`,
    },
    ownNetwork: (network: string) =>
      `您自己就在 ${network} 中，屏蔽后将无法再次登录。请去掉这一行，或换一个网络再保存。`,
  },
);
