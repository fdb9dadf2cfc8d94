// Drafts that the editor's script saves while their author writes. Nothing is published here, and no version is
// overwritten that the author has not seen.

import { type Saved, saveDraft } from '../../../community/draft.ts';
import { beginDraft } from '../../../community/writing.ts';
import type { User } from '../../../identity/user.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { idIn } from '../../pages/numbers.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { tooFastText } from './editing.ts';
import { readPostText, readVersion } from './form.ts';

/** Saves what is written on the page of a new post: as a new draft. */
export async function autosaveNewDraft(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const draft = await beginDraft(site.community, user.id, readPostText(form));
  if ('retryAfterSeconds' in draft) return refusal(c, 429, tooFastText(c, draft, 'draft'));
  return answer(site, c, draft);
}

/** Saves what is written on the page of a draft. */
export async function autosaveDraft(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const result = await saveDraft(site.community, user.id, idIn(c), readPostText(form), readVersion(form));
  return answer(site, c, result);
}

function answer(site: SiteParts, c: PageContext, result: Saved | undefined): Response {
  const t = words[c.get('visitor').language];
  if (result === undefined) return refusal(c, 404, t.gone);
  if ('problems' in result) return refusal(c, 400, t.problem);
  if ('newer' in result) return refusal(c, 409, t.newer);
  const { id, version } = result;
  const path = `/posts/${id}`;
  c.header('Cache-Control', 'no-store');
  const paths = { edit: `${path}/edit`, autosave: `${path}/autosave` };
  return c.json({ id, version, savedAt: site.clock(), ...paths });
}

function refusal(c: PageContext, status: 400 | 404 | 409 | 429, message: string): Response {
  c.header('Cache-Control', 'no-store');
  return c.json({ message }, status);
}

const words = bilingual(
  {
    gone: 'Not saved: this draft is not there any more. Copy what you wrote.',
    problem: 'Not saved: the title or the text is too long, or holds a hidden character.',
    newer:
      'Not saved: this was saved or published in another place after you opened it here. Save it by the button to choose, or copy what you wrote and reload.',
  },
  {
    gone: '未保存：此草稿已不存在。请复制您写的内容。',
    problem: '未保存：标题或正文过长，或含有不可见字符。',
    newer:
      '未保存：您打开此页之后，别处又保存或发布过一次。请点击按钮保存并自行选择，或复制您写的内容后刷新页面。',
  },
);
