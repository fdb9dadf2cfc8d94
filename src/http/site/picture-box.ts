// The part of a form with a text that adds a picture to the text.

import { html } from 'hono/html';
import { byMember } from '../../audit/doer.ts';
import {
  addPicture,
  hasUndescribedPicture,
  MOST_DESCRIPTION_CHARACTERS,
  MOST_FILE_BYTES,
  markdownOf,
  type UploadRefusal,
  withPicture,
} from '../../community/picture.ts';
import type { User } from '../../identity/user.ts';
import type { PostedForm } from '../pages/form-page.ts';
import { bilingual, type Language } from '../pages/language.ts';
import type { Html } from '../pages/page.ts';
import { PICTURE_TYPES, pictureProblemText } from '../pages/picture-problem.ts';
import type { TextUpload } from '../pages/text-upload.ts';
import type { UploadProblem } from '../pages/upload.ts';
import type { PageContext } from '../pages/visitor.ts';
import { retryAfter } from '../pages/waiting.ts';
import type { SiteParts } from './site-parts.ts';

/** The path that a script posts a picture to. */
export const PICTURES_PATH = '/pictures';
/** The name of the field with the file. */
export const PICTURE_FIELD = 'picture';
export const MOST_PICTURE_BYTES = MOST_FILE_BYTES;

type Problem = UploadRefusal | { problem: UploadProblem | 'missing' } | { problem: 'forgotten' };

/** What became of the picture that was just sent. */
export type PictureOutcome = { added: true } | Problem;

/** Make the part of the form. It belongs behind the form's own buttons: the first one of a form answers to Enter. */
export function pictureBox(c: PageContext, action: string, outcome?: PictureOutcome): Html {
  const { language } = c.get('visitor');
  const t = words[language];
  const problem = outcome && 'problem' in outcome ? problemText(outcome, language) : undefined;
  const said = outcome !== undefined && problem === undefined ? t.added : problem;
  return html`
    <div class="pictures" data-pictures="${PICTURES_PATH}" data-most="${MOST_PICTURE_BYTES}"
      data-uploading="${t.uploading}" data-describe="${t.describe}" data-failed="${t.failed}"
      data-too-large="${t.too_large}" data-wait="${t.waitForUpload}" data-name="${t.unnamed}">
      <p id="picture-status" class="small${problem === undefined ? ' soft' : ' error'}" role="status">${said ?? ''}</p>
      <details${outcome === undefined ? '' : html` open`}>
        <summary>${t.title}</summary>
        <p class="soft small" id="picture-hint">${t.hint}<span hidden>${t.hintWithScript}</span></p>
        <div class="find">
          <div class="field">
            <label for="picture">${t.file}</label>
            <input type="file" id="picture" name="${PICTURE_FIELD}" accept="${PICTURE_TYPES}"
              aria-describedby="picture-status picture-hint">
          </div>
          <div class="field without-script">
            <label for="description">${t.description}</label>
            <input type="text" id="description" name="description" maxlength="${MOST_DESCRIPTION_CHARACTERS}"
              autocomplete="off">
          </div>
          <button class="without-script" formaction="${action}" formenctype="multipart/form-data"
            formnovalidate>${t.add}</button>
        </div>
      </details>
    </div>`;
}

/** Add the picture of an upload to the text that came with it. */
export async function withUploadedPicture(
  site: SiteParts,
  user: User,
  upload: TextUpload,
  body: string,
): Promise<{ body: string; picture: PictureOutcome }> {
  const result = await storedPicture(site, user, upload);
  if ('problem' in result) return { body, picture: result };
  const description = upload.form.text('description');
  return { body: withPicture(body, result, description), picture: { added: true } };
}

/** Answer the script of the form: with the Markdown that shows the picture, or with the reason why there is none. */
export async function uploadPicture(
  site: SiteParts,
  c: PageContext,
  user: User,
  upload: TextUpload,
): Promise<Response> {
  const result = await storedPicture(site, user, upload);
  c.header('Cache-Control', 'no-store');
  if ('problem' in result) {
    return c.json({ message: problemText(result, c.get('visitor').language) }, pictureStatus(c, result));
  }
  return c.json({ markdown: markdownOf(result, upload.form.text('description')) });
}

async function storedPicture({ community, clock }: SiteParts, user: User, { file, signal }: TextUpload) {
  if (typeof file === 'string') return { problem: file };
  if (file.byteLength === 0) return { problem: 'missing' } as const;
  return addPicture(byMember(user, clock), community, file, signal);
}

/** Return the status of the page that shows the outcome. Sets Retry-After if it is about time. */
export function pictureStatus(c: PageContext, outcome: PictureOutcome): 200 | 400 | 403 | 429 | 503 | 507 {
  if ('added' in outcome) return 200;
  const { problem } = outcome;
  if (problem === 'too_often') retryAfter(c, outcome.retryAfterSeconds);
  if (problem === 'busy' || problem === 'second' || problem === 'not_stored') retryAfter(c, SOON_SECONDS);
  if (problem === 'busy' || problem === 'not_stored') return 503;
  if (problem === 'disk_full') return 507;
  if (problem === 'not_active') return 403;
  return problem === 'too_often' || problem === 'second' ? 429 : 400;
}

const SOON_SECONDS = 5;

function problemText(outcome: Problem, language: Language): string {
  const t = words[language];
  switch (outcome.problem) {
    case 'no_room':
      return t.no_room(Math.round(outcome.mostBytes / 1_000_000));
    case 'forgotten':
    case 'too_large':
    case 'not_stored':
    case 'disk_full':
    case 'not_active':
      return t[outcome.problem];
    default:
      return pictureProblemText(outcome, language);
  }
}

/** The outcome for a form that was sent without the file that is chosen in it. Undefined if none is. */
export function forgottenPicture(form: PostedForm): PictureOutcome | undefined {
  // Without an encoding for files, browsers send the name.
  return form.text(PICTURE_FIELD) === '' ? undefined : { problem: 'forgotten' };
}

/** Report whether to remind an author, once, of pictures without a description. */
export function lacksDescription(form: PostedForm, body: string): boolean {
  return !form.has(REMINDED) && hasUndescribedPicture(body);
}

/** Make the reminder for the head of the form. The form can be sent again as it is. */
export function descriptionReminder(c: PageContext, button: string): Html {
  return html`
    <div class="notice" role="status">
      <p>${words[c.get('visitor').language].undescribed(button)}</p>
    </div>`;
}

/** The field that says that the author has seen the reminder. */
export const REMINDED_FIELD = html`<input type="hidden" name="reminded" value="1">`;
const REMINDED = 'reminded';

const words = bilingual(
  {
    title: 'Add a picture',
    hint: 'PNG, JPEG, WebP, GIF or AVIF, at most 10 MB. Its location and date are removed. Of a moving picture, the first frame is shown. A description tells people what it shows who can’t see it.',
    hintWithScript: ' You can also paste a picture into the text, or drop it there.',
    file: 'File',
    description: 'Description',
    add: 'Add picture',
    added: 'Picture added at the end of the text. You can move its line.',
    uploading: 'Uploading {name}… {percent} %',
    describe: 'Picture added. Describe it between the brackets.',
    forgotten:
      'Nothing was sent: the picture that you chose isn’t in the text yet. Choose it again and press “Add picture”, or send the form without it.',
    undescribed: (
      button: string,
    ) => html`Not sent yet: a picture has no description, so people who can’t see it don’t
      know what it shows. Write it between the brackets of its line, <kbd>![like this](…)</kbd>, or press “${button}”
      again to go on without.`,
    waitForUpload: 'The picture is still uploading. Send the form again in a moment.',
    unnamed: 'picture',
    failed: 'The picture wasn’t added. Check your connection, and that you’re still signed in.',
    too_large: 'The file is larger than 10 MB. Make it smaller and choose it again.',
    no_room: (megabytes: number) =>
      `Your pictures take ${megabytes} MB, and that’s the most here. Remove some from your posts; after a week there is room again.`,
    not_stored: 'The picture couldn’t be stored. Nothing is lost of your text. Try again in a moment.',
    disk_full:
      'The server has no more room for pictures. Nothing is lost of your text. Go on without the picture, or try again later, and please tell the operators.',
    not_active: 'Your account can’t add pictures right now.',
  },
  {
    title: '添加图片',
    hint: '支持 PNG、JPEG、WebP、GIF 或 AVIF，最大 10 MB。拍摄地点和时间会被移除；动图只显示第一帧。图片说明供看不到图片的人阅读。',
    hintWithScript: '也可以把图片粘贴或拖放到正文中。',
    file: '文件',
    description: '图片说明',
    add: '添加图片',
    added: '图片已加在正文末尾，可以移动那一行。',
    uploading: '正在上传 {name}… {percent}%',
    describe: '图片已添加，请在方括号中写一句说明。',
    forgotten: '尚未提交：您选择的图片还没有加入正文。请重新选择并点击“添加图片”，或不带图片提交。',
    undescribed: (button) =>
      html`尚未提交：有图片没有说明，看不到图片的人无法知道其中的内容。请在图片那一行的方括号中写一句说明，例如
      <kbd>![说明](…)</kbd>；也可以再次点击“${button}”直接继续。`,
    waitForUpload: '图片还在上传，请稍后再提交。',
    unnamed: '图片',
    failed: '图片未能添加。请检查网络连接，并确认仍处于登录状态。',
    too_large: '文件超过 10 MB，请缩小后重新选择。',
    no_room: (megabytes) =>
      `您的图片已达 ${megabytes} MB 的上限。请从文章中移除一些图片，一周后即可腾出空间。`,
    not_stored: '图片未能保存，您写的内容没有丢失。请稍后再试。',
    disk_full: '服务器上存放图片的空间已满。您写的内容没有丢失：可以先不加图片，或稍后再试，并请告知管理员。',
    not_active: '您的账户目前不能添加图片。',
  },
);
