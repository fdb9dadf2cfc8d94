// Adding a picture to a post in the form, without script. Nothing is saved but the picture.

import type { Post } from '../../../community/post.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { TextUpload } from '../../pages/text-upload.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { withUploadedPicture } from '../picture-box.ts';
import type { SiteParts } from '../site-parts.ts';
import { ownPost } from './author.ts';
import { formPage } from './editing.ts';
import { readPostText, readVersion } from './form.ts';

/** Add a picture to a new post. */
export function addPictureToNewPost(
  site: SiteParts,
  c: PageContext,
  user: User,
  upload: TextUpload,
): Promise<Response> {
  return formWithPicture(site, c, user, upload, undefined);
}

/** Add a picture to a post or draft of the member. */
export async function addPictureToPost(
  site: SiteParts,
  c: PageContext,
  user: User,
  upload: TextUpload,
): Promise<Response> {
  const post = await ownPost(site, c, user);
  return post === undefined ? notFoundPage(c) : formWithPicture(site, c, user, upload, post);
}

async function formWithPicture(
  site: SiteParts,
  c: PageContext,
  user: User,
  upload: TextUpload,
  post: Post | undefined,
): Promise<Response> {
  const text = readPostText(upload.form);
  const { body, picture } = await withUploadedPicture(site, user, upload, text.body);
  const version = readVersion(upload.form);
  const form = { post, text: { ...text, body }, problems: {}, version, picture };
  return formPage(site, c, form);
}
