// What the site keeps about a member: for each kind why, and how long.

import { html } from 'hono/html';
import type { User } from '../../../identity/user.ts';
import { bilingual } from '../../pages/language.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { table } from '../table.ts';
import { settingsPage, settingsTitle } from './page.ts';

const PATH = '/settings/account';

/** Show what is kept. */
export function keptDataPage(_: SiteParts, c: PageContext, __: User): Promise<Response> {
  const t = words[c.get('visitor').language];
  const rows = t.kinds.map(
    ([kind, why, howLong]) => html`
      <tr>
        <th scope="row">${kind}</th>
        <td data-label="${t.why}">${why}</td>
        <td data-label="${t.howLong}">${howLong}</td>
      </tr>`,
  );
  return settingsPage(
    c,
    PATH,
    { title: t.title },
    html`
      <p class="eyebrow"><a href="${PATH}">${settingsTitle(c, PATH)}</a></p>
      <h1>${t.title}</h1>
      <p class="soft">${t.explanation}</p>
      ${table([t.kind, t.why, t.howLong], rows)}`,
  );
}

type Kind = readonly [kind: string, why: string, howLong: string];

const words = bilingual<
  Record<'title' | 'explanation' | 'kind' | 'why' | 'howLong', string> & { kinds: readonly Kind[] }
>(
  {
    title: 'What is kept about you',
    explanation:
      'Most of it is in the download of your data. Of passwords and tokens only digests are kept, and the download leaves them out.',
    kind: 'What',
    why: 'Why',
    howLong: 'How long',
    kinds: [
      [
        'Username, bio, links, picture, points, role',
        'To show who you are here',
        'Until you change it or close the account; the username stays taken',
      ],
      [
        'Email address',
        'To reach you, and to let you back in',
        'Until you change or remove it, or close the account',
      ],
      ['Earlier usernames', 'So that nobody else can pose as you', 'For good'],
      ['A digest of your password', 'To let you sign in', 'Until you change it or close the account'],
      [
        'Your authenticator app’s key',
        'To check its codes',
        'Until you remove the app or close the account; the download leaves it out',
      ],
      [
        'Passkeys: their public keys, names and last use',
        'To let you sign in',
        'Until you remove them or close the account; the download has no keys',
      ],
      [
        'Digests of your recovery codes',
        'To let you back in',
        'Until you use, replace or no longer need them',
      ],
      [
        'Posts, comments and likes',
        'They are what the community is about',
        'Until you remove them, and 30 days more, so that they can be restored',
      ],
      [
        'Bookmarks, and the members and tags that you follow',
        'So that you find them again',
        'Until you remove them or close the account',
      ],
      ['Drafts', 'So that no text is lost', 'Until you remove them, and 30 days more'],
      [
        'Pictures that you uploaded, without what your camera noted in them',
        'To show them in your texts',
        'As long as a text shows them, and a week more',
      ],
      ['Notifications', 'To tell you what happened', '90 days'],
      ['Which mails you want', 'To send no others', 'As long as the account'],
      [
        'Reports that you sent',
        'So that operators can decide',
        'As long as the post or comment that they are about',
      ],
      [
        'Consents, and sign-ins at applications, with browser and network',
        'To know what you allow, and to end it',
        'A sign-in until it ends, at most a year; the consent as long as the account',
      ],
      ['API tokens, without the token itself', 'To recognise them', '30 days after their end'],
      ['Access diary', 'To show you who reads what', '30 days, unless you switch it off'],
      [
        'Signed-in browsers: name, network, first and last visit',
        'To keep you signed in, and to show you where you are',
        'Until you sign out, at most 90 days; 14 days without a visit',
      ],
      [
        'Security events, with network addresses',
        'To show you and the operators what happened to your account',
        '90 days',
      ],
      [
        'Links in mails, as digests',
        'To let you confirm, reset or undo something',
        'Until you use them, at most 72 hours; links that end a kind of mail 90 days',
      ],
      ['Views of posts', 'To count them', 'Until the end of the day, as a digest that names nobody'],
      ['Mail that waits for you', 'To send it', 'Until it is sent, at most three days more'],
      [
        'Events that wait for your applications',
        'To tell an application when you change or end its access, or sign out',
        'Until it accepts them, at most three days; 30 days more if it never does',
      ],
      ['Invitations that you sent', 'To know who joined by whom', '30 days after they expired'],
    ],
  },
  {
    title: '本站保存了您的哪些信息',
    explanation: '下载您的数据即可获得其中大部分内容。密码和令牌只保存摘要，不包含在下载的文件中。',
    kind: '内容',
    why: '用途',
    howLong: '保存多久',
    kinds: [
      [
        '用户名、简介、链接、头像、经验值、角色',
        '展示您的身份',
        '直到您修改或注销账号；用户名会一直保留，不再分配',
      ],
      ['邮箱', '与您联系，帮您找回账号', '直到您修改、移除或注销账号'],
      ['曾用名', '防止他人冒充您', '永久保留'],
      ['密码摘要', '供您登录', '直到您修改密码或注销账号'],
      ['验证器应用的密钥', '核对验证码', '直到您移除该应用或注销账号；不包含在下载的文件中'],
      ['通行密钥：公钥、名称和上次使用时间', '供您登录', '直到您移除或注销账号；下载的文件不含密钥'],
      ['恢复代码的摘要', '供您找回账号', '直到使用、更换或不再需要'],
      ['文章、评论和点赞', '社区的内容', '直到您删除，此后 30 天内可恢复'],
      ['书签，以及您关注的成员和标签', '方便您再次找到', '直到您移除或注销账号'],
      ['草稿', '避免文字丢失', '直到您删除，此后再保留 30 天'],
      ['您上传的图片（不含相机写入的信息）', '显示在您的文章和评论中', '只要有文字使用它，此后再保留一周'],
      ['通知', '告诉您发生了什么', '90 天'],
      ['您选择接收的邮件', '不发送其他邮件', '与账号一样久'],
      ['您提交的举报', '供管理员处理', '与被举报的文章或评论一样久'],
      [
        '授权，以及在应用中的登录（含浏览器和网络）',
        '记录您允许的内容，并可随时结束',
        '登录保留到结束，最长一年；授权与账号一样久',
      ],
      ['API 令牌（不含令牌本身）', '识别令牌', '失效后 30 天'],
      ['访问日记', '让您知道谁读取了什么', '30 天，您可以关闭'],
      [
        '已登录的浏览器：名称、网络、首次和最近访问',
        '保持登录，并向您显示登录位置',
        '直到您退出，最长 90 天；14 天未访问即失效',
      ],
      ['安全事件，含网络地址', '让您和管理员了解账号发生了什么', '90 天'],
      [
        '邮件中的链接（仅保存摘要）',
        '供您确认、重置或撤消操作',
        '直到使用，最长 72 小时；退订邮件的链接为 90 天',
      ],
      ['文章浏览', '统计浏览量', '到当天结束，仅保存无法识别个人的摘要'],
      ['待发送的邮件', '发送给您', '直到发出，最多再保留三天'],
      [
        '待发送给应用的事件',
        '在您更改或结束授权、退出登录时通知应用',
        '直到应用收到，最长三天；未送达的再保留 30 天',
      ],
      ['您发出的邀请', '了解谁邀请了谁', '过期后 30 天'],
    ],
  },
);
