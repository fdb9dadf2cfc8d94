// Writes posts by putting sentences together.

import type { Chance } from './random.ts';
import { chinese } from './texts/chinese.ts';
import { english } from './texts/english.ts';
import type { Language, Subject } from './texts/texts.ts';

export { chinese, english };

export interface Writing {
  category: string;
  title: string;
  body: string;
  tags: string[];
}

/** Write a post in this language: short or long, perhaps with headings, lists, quotations or code. */
export function writePost(chance: Chance, language: Language): Writing {
  const subject = chance.pick(language.subjects);
  // A post keeps to one thing, and no sentence of it comes twice.
  const words = new Map(Object.entries(subject.words).map(([name, list]) => [name, chance.pick(list)]));
  const fill = (sentence: string) =>
    capitalized(sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => words.get(name) ?? ''));
  const rest = chance.some(subject.middle, subject.middle.length);
  const headings = chance.some(language.headings, language.headings.length);
  const sentences = (count: number) => rest.splice(0, count).map(fill).join(language.space);
  const blocks = [fill(chance.pick(subject.first)) + language.space + sentences(1 + chance.below(2))];
  const blockCount = chance.below(5);
  for (let index = 0; index < blockCount && rest.length > 0; index += 1) {
    if (chance.next() < 0.3) blocks.push(`## ${headings.pop()}`);
    blocks.push(sentences(2 + chance.below(3)));
    if (index === 0 && chance.next() < 0.4) blocks.push(list(chance, subject, fill));
    else if (rest.length > 0 && chance.next() < 0.15) blocks.push(`> ${sentences(1)}`);
    else if (chance.next() < 0.2 && subject.pieces !== undefined) blocks.push(chance.pick(subject.pieces));
  }
  blocks.push(fill(chance.pick(subject.last)));
  return {
    category: subject.category,
    title: fill(chance.pick(subject.titles)),
    body: blocks.join('\n\n'),
    tags: tagsOf(words),
  };
}

// What the post is about, without how long it takes and where it leads.
function tagsOf(words: ReadonlyMap<string, string>): string[] {
  const names = [...words].filter(([name]) => name !== 'time' && name !== 'place').map(([, word]) => word);
  return names.map((name) => name.replace(/^(?:an?|the) /, '')).filter((name) => !/ .* /.test(name));
}

function list(chance: Chance, { items }: Subject, fill: (sentence: string) => string): string {
  const some = chance.some(items, 2 + chance.below(3));
  return some.map((item) => `- ${fill(item)}`).join('\n');
}

function capitalized(text: string): string {
  return text.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
