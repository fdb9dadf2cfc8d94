// Drafts that the editor's script saves while their author writes. Autosaving never publishes, and never
// overwrites a version that the author has not seen.

import { byMember } from '../../../audit/doer.ts';
import type { PostText } from '../../../community/post.ts';
import { problemWithTags } from '../../../community/tag.ts';
import { type Saved, save, write } from '../../../community/writing.ts';
import type { User } from '../../../identity/user.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { formWithoutEffect } from '../../pages/guards.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn } from '../../pages/numbers.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { tooFastText } from './editing.ts';
import { readPostText, readVersion, savedText } from './form.ts';

/** Save the text of a post that was never saved before, as a new draft. */
export async function autosaveNewDraft(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const writing = { authorId: user.id, text: textToSave(form), status: 'draft' } as const;
  const draft = await write(byMember(user, site.clock), site.community, writing);
  if ('isNotActive' in draft) return formWithoutEffect(c, form);
  if ('retryAfterSeconds' in draft) return refusal(c, 429, tooFastText(c, draft, 'draft'));
  return answer(site, c, draft);
}

/** Save the new text of a draft. */
export async function autosaveDraft(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const edit = { text: textToSave(form), version: readVersion(form) };
  const draft = { id: idIn(c), status: 'draft' } as const;
  const result = await save(byMember(user, site.clock), site.community, draft, edit);
  if (result === undefined) return formWithoutEffect(c, form, draftGone);
  return answer(site, c, result);
}

// A tag that is half typed must not keep the text from being saved. Its author sees the problem when they save.
function textToSave(form: PostedForm): PostText {
  const text = readPostText(form);
  return problemWithTags(text.tags ?? '') === undefined ? text : { ...text, tags: undefined };
}

function answer(site: SiteParts, c: PageContext, result: Saved): Response {
  const t = words[c.get('visitor').language];
  if ('problems' in result) {
    if (result.problems.body === 'too_many_drafts') return refusal(c, 400, t.tooManyDrafts);
    return result.problems.body === 'busy' ? refusal(c, 503, t.busy) : refusal(c, 400, t.problem);
  }
  if ('newer' in result) return refusal(c, 409, t.newer);
  if ('retryAfterSeconds' in result) return refusal(c, 429, tooFastText(c, result, 'edit'));
  const { id, version } = result;
  const path = `/posts/${id}`;
  c.header('Cache-Control', 'no-store');
  return c.json({
    id,
    version,
    message: savedText(site.clock(), c.get('visitor')),
    edit: `${path}/edit`,
    autosave: `${path}/autosave`,
  });
}

function draftGone(c: PageContext): Response {
  return refusal(c, 404, words[c.get('visitor').language].gone);
}

function refusal(c: PageContext, status: 400 | 404 | 409 | 429 | 503, message: string): Response {
  c.header('Cache-Control', 'no-store');
  return c.json({ message }, status);
}

const words = bilingual(
  {
    gone: 'Not saved. This draft no longer exists. Copy your text to keep it.',
    problem:
      'Not saved. The title or the text is too long, the formatting is too complex, or the title contains a hidden character.',
    tooManyDrafts:
      'Not saved. You can have 200 drafts, and 200 removed ones. Publish or remove one in another tab. Your text is still here.',
    busy: 'Not saved yet. The server is busy. Your text is still here.',
    newer:
      'Not saved. The draft was saved or published somewhere else after you opened this page. Press “Save draft” to choose a version, or copy your text and reload the page.',
  },
  {
    gone: '未保存：此草稿已不存在。请先复制您写的内容。',
    problem: '未保存：标题或正文过长，正文的格式过于复杂，或标题中含有不可见字符。',
    tooManyDrafts:
      '未保存。最多可以有 200 篇草稿和 200 篇已移除的草稿。请在另一个标签页中发布或移除一篇；您写的内容仍在此页。',
    busy: '尚未保存：服务器正忙。您写的内容仍在此页。',
    newer:
      '未保存：您打开此页后，草稿已在别处保存或发布。请点击“保存草稿”选择保留哪个版本，或复制您写的内容后刷新页面。',
  },
);
