// A member's public profile: bio and picture.

import { html } from 'hono/html';
import { MASK } from '../../../audit/credential-notice.ts';
import { byMember } from '../../../audit/doer.ts';
import { removeAvatar, setAvatar } from '../../../identity/avatar.ts';
import { type BioProblem, setBio } from '../../../identity/bio.ts';
import { setLinks } from '../../../identity/links.ts';
import type { User } from '../../../identity/user.ts';
import { attempted, hourlyLimit } from '../../../lib/attempt.ts';
import { avatarPath } from '../../pages/avatar-path.ts';
import { maskedText } from '../../pages/credential-words.ts';
import { inputField, problemSummary } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { pictureForm, pictureRemovalForm } from '../../pages/picture-form.ts';
import {
  type PictureProblem,
  pictureProblemText,
  pictureStatus,
  saveUpload,
} from '../../pages/picture-problem.ts';
import { tooOftenPage } from '../../pages/too-often.ts';
import type { Upload, UploadProblem } from '../../pages/upload.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { memberPath } from '../lists/item.ts';
import { notice } from '../notice.ts';
import type { SiteParts } from '../site-parts.ts';
import { LINK_FIELDS, linkProblems, linksCard } from './links.ts';
import { settingsPage, settingsTitle } from './page.ts';

const PATH = '/settings/profile';
const PICTURE_PATH = `${PATH}/picture`;
const MOST_BIOS = 60;
const REMOVAL_PATH = `${PICTURE_PATH}/remove`;

/** Save the bio. */
export async function saveProfile(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const bio = form.text('bio').trim();
  const by = byMember(user, site.clock);
  const tooFast = await attempted(site.identity, hourlyLimit(by.at, MOST_BIOS, 'bio', user.id));
  if (tooFast !== undefined) return tooOftenPage(c, tooFast, PATH);
  const bioProblem = await setBio(by, site.identity, bio);
  if (bioProblem !== undefined) return profilePage(site, c, user, { bio, bioProblem });
  return c.redirect(`${PATH}?saved`, 303);
}

/** Save the links. */
export async function saveLinks(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const links = LINK_FIELDS.map((name) => form.text(name));
  const problem = await setLinks(byMember(user, site.clock), site.identity, links);
  if (problem === undefined) return c.redirect(`${PATH}?saved`, 303);
  if ('wrong' in problem) return profilePage(site, c, user, { links, wrongLinks: problem.wrong });
  return tooOftenPage(c, problem, PATH);
}

/** Save an uploaded picture. */
export async function savePicture(
  site: SiteParts,
  c: PageContext,
  user: User,
  upload: Upload | UploadProblem,
): Promise<Response> {
  const by = byMember(user, site.clock);
  const problem = await saveUpload(upload, (file, signal) => setAvatar(by, site.identity, file, signal));
  if (problem === undefined) return c.redirect(`${PATH}?saved`, 303);
  return profilePage(site, c, user, { pictureProblem: problem });
}

/** Remove the picture; the drawn one is shown again. */
export async function removePicture(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  await removeAvatar(byMember(user, site.clock), site.identity);
  return c.redirect(`${PATH}?saved`, 303);
}

/** The problems of a refused form, and what was typed. */
interface Mistakes {
  bio?: string;
  bioProblem?: BioProblem;
  pictureProblem?: PictureProblem;
  links?: string[];
  wrongLinks?: number[];
}

/** Show the forms for bio, picture and links, also after one was refused. */
export async function profilePage(
  { identity }: SiteParts,
  c: PageContext,
  user: User,
  mistakes: Mistakes = {},
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const title = settingsTitle(c, PATH);
  const bioProblem = mistakes.bioProblem && t.problems[mistakes.bioProblem];
  const { pictureProblem } = mistakes;
  const picture = pictureProblem && pictureProblemText(pictureProblem, language);
  const ofLinks = linkProblems(mistakes.wrongLinks ?? [], language);
  const links = mistakes.links ?? (await identity.reads.linksOf(user.id));
  const isWrong = bioProblem !== undefined || picture !== undefined || mistakes.wrongLinks !== undefined;
  const status = pictureProblem === undefined ? (isWrong ? 400 : 200) : pictureStatus(c, pictureProblem);
  return settingsPage(
    c,
    PATH,
    { title, status },
    html`
      <h1>${title}</h1>
      ${notice(c.req.query('saved') === undefined || isWrong ? undefined : t.saved)}
      ${notice(user.bio.includes(MASK) ? maskedText[language] : undefined)}
      ${problemSummary({ bio: bioProblem, picture, ...ofLinks }, language)}
      <section class="card">
        ${portrait(user, language)}
        <p class="soft small">${t.fixed}</p>
        ${bioForm(c, mistakes.bio ?? user.bio, bioProblem)}
      </section>
      ${!c.get('site').isSandbox && pictureCard(c, user, picture)}
      ${linksCard(c, links, ofLinks)}`,
  );
}

function portrait(user: User, language: Language): Html {
  return html`
    <div class="row">
      <img class="avatar" width="64" height="64" alt="" src="${avatarPath(user.id, user.avatar)}">
      <div>
        <strong>${user.username}</strong>
        <p class="links"><a href="${memberPath(user.username)}">${words[language].see}</a></p>
      </div>
    </div>`;
}

function bioForm(c: PageContext, value: string, problem: string | undefined): Html {
  const t = words[c.get('visitor').language];
  return html`
    <form method="post" action="${PATH}">
      ${formTokenField(c)}
      ${inputField({ name: 'bio', label: t.bio, hint: t.bioHint, problem, value })}
      <div class="actions">
        <button class="primary">${t.save}</button>
      </div>
    </form>`;
}

function pictureCard(c: PageContext, user: User, problem: string | undefined): Html {
  const t = words[c.get('visitor').language];
  const field = { name: 'picture', label: t.chooseFile, hint: t.pictureHint, problem };
  return html`
    <section class="card">
      <div class="row spread">
        <h2>${t.picture}</h2>
        ${user.avatar !== undefined && pictureRemovalForm(c, REMOVAL_PATH, t.removePicture)}
      </div>
      ${pictureForm(c, PICTURE_PATH, field, t.upload)}
    </section>`;
}

const words = bilingual(
  {
    saved: 'Profile saved.',
    see: 'View your profile',
    fixed: 'Your username can’t be changed.',
    bio: 'Bio',
    bioHint: 'One line about you, at most 160 characters. Everyone can see it.',
    save: 'Save bio',
    problems: {
      too_long: 'The bio can have at most 160 characters.',
      hidden_characters: 'The bio contains a hidden character. Use a single line of plain text.',
    },
    picture: 'Picture',
    chooseFile: 'Choose a picture',
    pictureHint:
      'PNG, JPEG, WebP, GIF or AVIF, at most 5 MB. The picture is cropped to a square, and its location and date are removed. Without one, we show a drawing made from your member number.',
    upload: 'Upload picture',
    removePicture: 'Remove picture',
  },
  {
    saved: '个人资料已保存。',
    see: '查看您的主页',
    fixed: '用户名不可更改。',
    bio: '简介',
    bioHint: '用一句话介绍自己，最多 160 个字符。所有人可见。',
    save: '保存简介',
    problems: {
      too_long: '简介最多 160 个字符。',
      hidden_characters: '简介中含有不可见字符。请只用一行普通文字。',
    },
    picture: '头像',
    chooseFile: '选择图片',
    pictureHint:
      '支持 PNG、JPEG、WebP、GIF 或 AVIF，最大 5 MB。图片会裁成正方形，拍摄地点和时间会被移除。未上传时，显示根据成员编号绘制的头像。',
    upload: '上传图片',
    removePicture: '移除头像',
  },
);
