// Adding a picture to a comment in the form, without script. Nothing is saved but the picture.

import { postFor } from '../../../community/post.ts';
import type { User } from '../../../identity/user.ts';
import { notFoundPage } from '../../pages/failures.ts';
import { idIn } from '../../pages/numbers.ts';
import { postPath } from '../../pages/post-path.ts';
import type { TextUpload } from '../../pages/text-upload.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { withUploadedPicture } from '../picture-box.ts';
import type { SiteParts } from '../site-parts.ts';
import { type CommentForm, commentFormPage, readCommentText } from './comment-form.ts';

/** Add a picture to a new comment on a post. */
export async function addPictureToComment(
  site: SiteParts,
  c: PageContext,
  user: User,
  upload: TextUpload,
): Promise<Response> {
  const post = await postFor(site.community, user.id, idIn(c));
  if (post?.status !== 'published') return notFoundPage(c);
  const form = { action: `/posts/${post.id}/comments`, kind: 'comment' } as const;
  return formWithPicture(site, c, user, upload, form, `${postPath(post)}#comments`);
}

/** Add a picture to a reply. */
export async function addPictureToReply(
  site: SiteParts,
  c: PageContext,
  user: User,
  upload: TextUpload,
): Promise<Response> {
  const parent = await site.community.reads.findComment(idIn(c));
  if (parent === undefined) return notFoundPage(c);
  const form = { action: `/comments/${parent.id}/reply`, kind: 'reply' } as const;
  return formWithPicture(site, c, user, upload, form, `/comments/${parent.id}`);
}

/** Add a picture to the text of the member's own comment. */
export async function addPictureToOwnComment(
  site: SiteParts,
  c: PageContext,
  user: User,
  upload: TextUpload,
): Promise<Response> {
  const comment = await site.community.reads.findOwnComment(idIn(c), user.id);
  if (comment === undefined) return notFoundPage(c);
  const form = { action: `/comments/${comment.id}/edit`, kind: 'edit' } as const;
  return formWithPicture(site, c, user, upload, form, `/comments/${comment.id}`);
}

async function formWithPicture(
  site: SiteParts,
  c: PageContext,
  user: User,
  upload: TextUpload,
  form: Pick<CommentForm, 'action' | 'kind'>,
  back: string,
): Promise<Response> {
  const { body, picture } = await withUploadedPicture(site, user, upload, readCommentText(upload.form));
  return commentFormPage(c, { ...form, body, picture }, { back });
}
