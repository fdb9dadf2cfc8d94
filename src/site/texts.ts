// The texts that operators write for the site: its pages, and the text of the home page, each in both languages.

import type { Doer } from '../audit/doer.ts';
import type { TextRenderer } from '../lib/text-renderer.ts';
import type { Site } from './site.ts';
import { TEXT_LANGUAGES, type TextLanguage, type TextName, type Texts } from './text-names.ts';

/** In characters. */
export const LONGEST_TEXT = 20_000;

/** Return a text in this language, or else in the other one. Undefined if it is written in neither. */
export async function textIn(
  { reads }: Site,
  name: TextName,
  language: TextLanguage,
): Promise<{ markdown: string; language: TextLanguage } | undefined> {
  const texts = await reads.texts(name);
  const written = texts[language] === '' ? TEXT_LANGUAGES.find((other) => texts[other] !== '') : language;
  return written && { markdown: texts[written], language: written };
}

export type TextProblem = 'too_long' | 'too_complex' | 'busy';

/** Save a text in both languages. Returns what is wrong in a language; then nothing is saved. */
export async function saveTexts(
  by: Doer,
  { writes }: Site,
  renderer: TextRenderer,
  name: TextName,
  texts: Texts,
): Promise<Partial<Record<TextLanguage, TextProblem>>> {
  const trimmed = { en: tidy(texts.en), zh: tidy(texts.zh) };
  const problems: Partial<Record<TextLanguage, TextProblem>> = {};
  for (const language of TEXT_LANGUAGES) {
    const problem = await problemWith(trimmed[language], renderer, by);
    if (problem !== undefined) problems[language] = problem;
  }
  if (Object.keys(problems).length === 0) await writes.saveTexts(by, name, trimmed);
  return problems;
}

// Browsers send line breaks as two characters, which would count twice.
function tidy(text: string): string {
  return text.replaceAll('\r\n', '\n').trim();
}

// Pages render the text on the event loop, so a text that takes too long is refused here.
async function problemWith(text: string, renderer: TextRenderer, by: Doer): Promise<TextProblem | undefined> {
  if ([...text].length > LONGEST_TEXT) return 'too_long';
  if (text === '') return undefined;
  const result = await renderer.render(text, by.kind === 'operator' ? by.userId : undefined);
  return 'problem' in result ? result.problem : undefined;
}
