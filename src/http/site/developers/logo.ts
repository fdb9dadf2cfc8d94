// The logo of an application, on the page of its settings.

import { html } from 'hono/html';
import { pacedPicture } from '../../../identity/avatar.ts';
import type { User } from '../../../identity/user.ts';
import { drawnLogo, removeClientLogo, setClientLogo } from '../../../oauth/client-logo.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { clientMark } from '../../pages/client-mark.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { bilingual } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';
import { uploadedPicture } from '../../pages/picture.ts';
import { pictureForm, pictureRemovalForm } from '../../pages/picture-form.ts';
import {
  type PictureProblem,
  pictureProblemText,
  pictureStatus,
  saveUpload,
} from '../../pages/picture-problem.ts';
import type { Upload, UploadProblem } from '../../pages/upload.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { changedElsewhere, changer, type Refusal } from './changer.ts';
import { appPathOf } from './frame.ts';

/** Answer with a logo, also one that waits for approval: its address is known to those who have the picture. */
export async function clientLogoFile({ oauth }: SiteParts, c: PageContext): Promise<Response> {
  const digest = c.req.param('file')?.slice(0, -'.png'.length) ?? '';
  const image = await oauth.reads.findClientLogo(digest);
  return image === undefined ? notFoundPage(c) : uploadedPicture(c, image, 'image/png');
}

/** Save an uploaded logo. Says why not, or nothing. */
export async function logoUploaded(
  site: SiteParts,
  c: PageContext,
  user: User,
  client: Client,
  upload: Upload | UploadProblem,
): Promise<Refusal | undefined> {
  const { language } = c.get('visitor');
  const by = await changer(site, c, user, client);
  if ('refusal' in by) return by.refusal;
  let isSaved = false;
  const problem = await saveUpload(upload, async (file, signal): Promise<PictureProblem | undefined> => {
    const logo = await pacedPicture(by, site.identity, () => drawnLogo(file, { userId: user.id, signal }));
    if ('problem' in logo) return logo;
    isSaved = await setClientLogo(by, site.oauth, client.id, logo, user.isOperator);
    return undefined;
  });
  if (problem !== undefined) {
    return { status: pictureStatus(c, problem), text: pictureProblemText(problem, language) };
  }
  return isSaved ? undefined : changedElsewhere(language);
}

/** Remove the logo. Says why not, or nothing. */
export async function logoRemoved(
  site: SiteParts,
  c: PageContext,
  user: User,
  client: Client,
): Promise<Refusal | undefined> {
  const by = await changer(site, c, user, client);
  if ('refusal' in by) return by.refusal;
  await removeClientLogo(by, site.oauth, client.id);
  return undefined;
}

/** The forms to upload a logo and to remove it. */
export function logoCard(c: PageContext, client: Client, problem: string | undefined): Html {
  const t = words[c.get('visitor').language];
  const { logo, isLogoApproved } = client;
  const path = appPathOf(client, '/logo');
  const field = { name: 'logo', label: t.chooseFile, hint: t.hint, problem };
  return html`
    <section class="card" id="logo-card">
      <div class="row spread">
        <h2>${t.logo}</h2>
        ${logo !== undefined && pictureRemovalForm(c, `${path}/remove`, t.remove)}
      </div>
      ${
        logo !== undefined &&
        html`<div class="title">${clientMark(client, logo)}<p>${isLogoApproved ? t.shown : t.waiting}</p></div>`
      }
      ${pictureForm(c, path, field, t.upload)}
    </section>`;
}

const words = bilingual(
  {
    logo: 'Logo',
    shown: 'Members see this logo.',
    waiting:
      'Members see this logo once an operator has approved it. Until then they see the first letter of the name.',
    chooseFile: 'Choose a picture',
    hint: 'PNG, JPEG, WebP, GIF or AVIF, at most 5 MB. A square on white works best: other pictures get margins. It needs the operators’ approval again when you change it or the name, or transfer the application.',
    upload: 'Upload logo',
    remove: 'Remove logo',
  },
  {
    logo: '徽标',
    shown: '成员可以看到此徽标。',
    waiting: '管理员批准后，成员才会看到此徽标；在此之前显示名称的第一个字。',
    chooseFile: '选择图片',
    hint: '支持 PNG、JPEG、WebP、GIF 或 AVIF，最大 5 MB。白底正方形图片效果最好，其他图片会加上边距。更换徽标、更改名称或转让应用后，需要管理员重新批准。',
    upload: '上传徽标',
    remove: '移除徽标',
  },
);
