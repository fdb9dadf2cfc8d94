// Mentions of members: "@alice" in a text. The parser doesn't know who is a member, so it marks what could be a name,
// and `linkMentions` makes links of those that are.

import type { MarkdownIt, StateInline } from 'markdown-it';
import { memoize } from './remember.ts';

// Each is looked up, with the names that it may begin with. Those beyond stay as they are.
const MOST_MENTIONS = 20;
const SHORTEST = 3;

/** As usernames are, at most 30 characters. */
const NAME = /@([\p{L}\p{N}](?:[\p{L}\p{M}\p{N}._-]{0,28}[\p{L}\p{M}\p{N}])?)/uy;
// Scripts that write no spaces between words, so that the next word follows the name.
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const WITHOUT_SPACES = new RegExp(SCRIPTS.map((script) => `\\p{Script=${script}}`).join('|'), 'u');
const PART_OF_WORD = /[\p{L}\p{M}\p{N}_]/u;
// Addresses of people and pages also have an @.
const PART_OF_ADDRESS = /[\p{L}\p{M}\p{N}/@.%+=&?#~:-]/u;

interface MentionEnv {
  /** What stands behind each @, without repetitions. Undefined: mentions are no concern of this text. */
  mentions?: string[];
}

/** Let the parser mark mentions. */
export function findMentions(markdownIt: MarkdownIt): void {
  markdownIt.inline.ruler.before('text', 'mention', (state: StateInline, silent: boolean) => {
    const { mentions } = state.env as MentionEnv;
    if (mentions === undefined || state.linkLevel > 0 || state.src[state.pos] !== '@') return false;
    const name = nameAt(state);
    if (name === undefined) return false;
    if (!mentions.includes(name)) {
      if (mentions.length === MOST_MENTIONS) return false;
      if (!silent) mentions.push(name);
    }
    if (!silent) state.push('mention', '', 0).content = `@${name}`;
    state.pos += name.length + 1;
    return true;
  });
  markdownIt.renderer.rules.mention = (tokens, index) => `<mention>${tokens[index]?.content}</mention>`;
}

function nameAt({ src, pos, posMax }: StateInline): string | undefined {
  const before = src.slice(0, pos).at(-1) ?? ' ';
  if (PART_OF_ADDRESS.test(before) && !WITHOUT_SPACES.test(before)) return undefined;
  NAME.lastIndex = pos;
  const [whole = '', name] = NAME.exec(src) ?? [];
  if (name === undefined || [...name].length < SHORTEST || pos + whole.length > posMax) return undefined;
  const next = String.fromCodePoint(src.codePointAt(pos + whole.length) ?? 32);
  // It goes on, so it is no name, unless its beginning is one.
  const goesOn = PART_OF_WORD.test(next) && !WITHOUT_SPACES.test(next);
  return goesOn && !WITHOUT_SPACES.test(name) ? undefined : name;
}

/** The names that a mention may mean: what stands behind the @, or what it begins with, longest first. */
export function possibleNames(mention: string): string[] {
  const characters = [...mention];
  const names = [mention];
  for (let length = characters.length - 1; length >= SHORTEST; length -= 1) {
    const [last = '', next = ''] = characters.slice(length - 1, length + 1);
    const isWordEnd = WITHOUT_SPACES.test(last) || WITHOUT_SPACES.test(next);
    if (isWordEnd && PART_OF_WORD.test(last) && last !== '_')
      names.push(characters.slice(0, length).join(''));
  }
  return names;
}

/**
 * Make links of the marked mentions. `ids` has the number of each name that is a member's. The links have the numbers,
 * so that they lead to the member also under another name, and never to another member.
 */
export function linkMentions(html: string, ids: ReadonlyMap<string, number>): string {
  // A text can have each of them thousands of times.
  const nameOf = memoize(
    (mention: string) => possibleNames(mention).find((name) => ids.has(name)) ?? '',
    MOST_MENTIONS,
  );
  // Everything that members write is escaped, so the marks are the parser's.
  return html.replaceAll(/<mention>@([^<]*)<\/mention>/g, (_, mention: string) => {
    const name = nameOf(mention);
    const id = ids.get(name);
    if (id === undefined) return `@${mention}`;
    return `${mentionOf(id)}@${name}</a>${mention.slice(name.length)}`;
  });
}

/** The beginning of the link in a rendered text that mentions a member. */
export function mentionOf(id: number): string {
  return `<a class="mention" href="/members/${id}">`;
}

/** The numbers of the members whom a rendered text mentions. */
export function mentionedMembers(html: string): number[] {
  return [...html.matchAll(/<a class="mention" href="\/members\/(\d+)">/g)].map(([, id]) => Number(id));
}
