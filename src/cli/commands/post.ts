// Posts.

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { byCommandLine } from '../../audit/doer.ts';
import {
  categoryNamed,
  DEFAULT_CATEGORY,
  MOST_CATEGORIES,
  MOST_CATEGORY_CHARACTERS,
} from '../../community/category.ts';
import { restoreContent } from '../../community/moderation.ts';
import { MOST_TITLE_CHARACTERS, type PostProblems } from '../../community/post-text.ts';
import { MOST_TAG_CHARACTERS, MOST_TAGS } from '../../community/tag.ts';
import { write } from '../../community/writing.ts';
import { failureReason } from '../../lib/failure-reason.ts';
import { Refusal } from '../../lib/refusal.ts';
import { type Context, command } from '../command.ts';
import { WrongUsage } from '../options.ts';
import { findOpenAccount, withPortico } from '../portico.ts';
import { postListCommands } from './post-list.ts';

const create = command({
  name: 'post create',
  summary: 'create a post by a member',
  options: {
    username: { kind: 'text', value: 'NAME', summary: 'the author', required: true },
    title: { kind: 'text', value: 'TITLE', summary: 'the title', required: true },
    'body-file': {
      kind: 'text',
      value: 'FILE',
      summary: 'a file with the text in Markdown; - reads standard input',
      required: true,
    },
    category: {
      kind: 'text',
      value: 'NAME',
      summary: `the category, ${DEFAULT_CATEGORY} if left out; created if it doesn't exist`,
    },
    tags: { kind: 'text', value: 'NAMES', summary: `up to ${MOST_TAGS} tags, separated by commas` },
    draft: { kind: 'flag', summary: 'save it as a draft, which only the author sees' },
  },
  async run(values, context) {
    const body = await readBody(values['body-file'], context);
    return withPortico(context, async (portico) => {
      const { id: authorId } = await findOpenAccount(portico, values.username);
      const by = byCommandLine(portico.clock);
      const category = await categoryNamed(by, portico.community, values.category ?? DEFAULT_CATEGORY);
      if (category === 'too_many') {
        throw new Refusal(
          'post_category',
          `--category: there are ${MOST_CATEGORIES} categories, the most there can be. Name one of them.`,
        );
      }
      if (typeof category === 'string') {
        throw new Refusal(
          'post_category',
          `--category must have 1 to ${MOST_CATEGORY_CHARACTERS} visible characters.`,
        );
      }
      const text = { title: values.title, body, categoryId: category.id, tags: values.tags };
      const status = values.draft ? 'draft' : 'published';
      const post = await write(by, portico.community, { authorId, text, status });
      if ('problems' in post) throw refusalOf(post.problems);
      if ('isNotActive' in post) throw new Refusal('account_suspended', `${values.username} is suspended.`);
      const { id } = post;
      const { baseUrl } = portico.config;
      return {
        json: { id },
        text: values.draft ? `Saved draft ${id}.` : `Published ${baseUrl}/posts/${id}`,
      };
    });
  },
});

const restore = command({
  name: 'post restore',
  summary: 'restore a post or comment that an operator or moderator removed',
  details:
    'Its author is told. Posts are deleted 30 days after their removal, and so are the texts of comments.',
  options: {
    id: { kind: 'integer', value: 'ID', summary: 'the id of the post' },
    comment: { kind: 'integer', value: 'ID', summary: 'the id of a comment, instead of a post' },
  },
  async run({ id, comment }, context) {
    if ((id === undefined) === (comment === undefined)) {
      throw new WrongUsage('Pass either --id with a post or --comment with a comment.');
    }
    return withPortico(context, async ({ community, clock, config }) => {
      const subject = { postId: id ?? 0, commentId: comment };
      if (!(await restoreContent(byCommandLine(clock), community, subject))) {
        throw new Refusal(
          'not_restorable',
          `There is no ${comment === undefined ? 'post' : 'comment'} ${id ?? comment} that can be restored: it must have ` +
            "been removed by an operator or moderator in the last 30 days, and its author's account must not be closed.",
        );
      }
      const path = comment === undefined ? `/posts/${id}` : `/comments/${comment}`;
      return {
        json: comment === undefined ? { post: id, restored: true } : { comment, restored: true },
        text: `Restored ${config.baseUrl}${path}`,
      };
    });
  },
});

export const postCommands = [create, restore, ...postListCommands];

async function readBody(file: string, context: Context): Promise<string> {
  if (file === '-') return context.readInput();
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Refusal(
      'file_unreadable',
      `--body-file: ${resolve(file)} can't be read: ${failureReason(error)}.`,
    );
  }
}

const PROBLEMS = {
  title: {
    missing: '--title is empty.',
    too_long: `--title must have at most ${MOST_TITLE_CHARACTERS} characters.`,
    hidden_characters: '--title must be one line without hidden characters.',
  },
  body: {
    missing: '--body-file: the text is empty.',
    too_long: '--body-file: the text must have at most 100,000 characters.',
    too_many_drafts: 'The member has too many drafts.',
    too_many_waiting: 'Too many posts of the member wait for approval.',
    too_complex: 'The formatting of the text is too complex to be displayed.',
    busy: 'Too many texts are waiting to be rendered.',
  },
  category: { unknown: 'There is no such category.' },
  tags: {
    too_many: `--tags can have at most ${MOST_TAGS} tags.`,
    too_long: `--tags: a tag can have at most ${MOST_TAG_CHARACTERS} characters.`,
    invalid: '--tags: a tag can have letters, digits and hyphens.',
  },
} as const satisfies {
  [Field in keyof PostProblems]-?: Record<NonNullable<PostProblems[Field]>, string>;
};

function refusalOf(problems: PostProblems): Refusal {
  const entries = Object.entries(problems) as [keyof typeof PROBLEMS, string][];
  const messages = entries.map(([field, problem]) => (PROBLEMS[field] as Record<string, string>)[problem]);
  return new Refusal(`post_${entries[0]?.[0]}`, messages.join(' '));
}
