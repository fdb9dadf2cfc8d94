// Another community, or a part of one, from a file: members, categories, posts, comments and likes.

import { normalizeUsername, usernameKey } from '../../identity/username.ts';
import { FORMATS, type Format, openImport } from '../../import/opening.ts';
import { DamagedFile, type RecordKind } from '../../import/record.ts';
import { rehearsalIn } from '../../import/rehearsal.ts';
import { openReport, type Report } from '../../import/report.ts';
import { takeAll } from '../../import/taking.ts';
import { command, type Result } from '../command.ts';
import { WrongUsage } from '../options.ts';
import { withPortico } from '../portico.ts';

const importFile = command({
  name: 'import',
  summary: 'take in a community: members, categories, posts, comments and likes',
  details: [
    'Reads JSON lines, an export of Discourse, or one of WordPress (WXR); docs/importing.md describes them. A line is',
    'one record, which is taken as a whole or refused as a whole:',
    '  {"type":"member","username":"alice","email":"...","bio":"...","createdAt":"2026-01-31T09:30:00+08:00"}',
    '  {"type":"post","id":1,"author":"alice","title":"...","body":"Markdown","category":"Craft","draft":true,"createdAt":"..."}',
    '  {"type":"comment","id":7,"post":1,"author":"bob","body":"...","replyTo":6,"createdAt":"..."}',
    '  {"type":"like","post":1,"by":"bob"}',
    'What others refer to comes before them. What was refused is told; the rest is in. The command can be interrupted at',
    'any moment and run again, also after the file was mended: what is there already is passed over.',
  ].join('\n'),
  argument: { name: 'FILE', summary: 'the file, in UTF-8' },
  options: {
    format: {
      kind: 'text',
      value: 'FORMAT',
      summary: 'what wrote the file; without it its beginning tells',
      choices: FORMATS,
    },
    source: {
      kind: 'text',
      value: 'NAME',
      summary:
        "names where the records come from: what came from there before is not taken again; without it, the file's name or the site's address",
    },
    member: {
      kind: 'list',
      value: 'THEIRS=OURS',
      summary: 'a member there who has an account here already',
    },
    report: {
      kind: 'text',
      value: 'FILE',
      summary: 'writes all that was refused, changed or skipped, as JSON lines',
    },
    'dry-run': { kind: 'flag', summary: 'writes nothing, and tells what would come of it' },
  },
  async run({ format, source: name, member, report: reportPath, 'dry-run': isRehearsal }, context, file) {
    const united = unitedMembers(member);
    const source = sourceNamed(name);
    const opened = await openImport(file, format);
    return withPortico(context, async (portico) => {
      const report = openReport(reportPath);
      const rooms = isRehearsal ? rehearsalIn(portico) : portico;
      const given = { source: source ?? opened.source, united, report };
      let damage: string | undefined;
      try {
        await takeAll(rooms, opened, given, () => context.progress(Math.min(0.99, opened.share())));
      } catch (error) {
        if (!(error instanceof DamagedFile)) throw error;
        damage = error.message;
      } finally {
        report.close();
      }
      context.progress(1);
      return resultOf({
        report,
        format: opened.format,
        source: given.source,
        isRehearsal,
        damage,
        reportPath,
      });
    });
  },
});

export const importCommands = [importFile];

function sourceNamed(name: string | undefined): string | undefined {
  if (name === undefined || /^[^\p{Cc}]{1,200}$/u.test(name)) return name;
  throw new WrongUsage('--source must have 1 to 200 characters, none of them hidden.');
}

function unitedMembers(given: readonly string[]): Map<string, string> {
  return new Map(
    given.map((pair) => {
      const [theirs = '', ours = ''] = pair.split('=').map(normalizeUsername);
      if (theirs === '' || ours === '')
        throw new WrongUsage('--member must be a name there, =, and a name here.');
      return [usernameKey(theirs), ours];
    }),
  );
}

interface Ended {
  report: Report;
  format: Format;
  source: string;
  isRehearsal: boolean;
  /** Why the file could not be read to its end. */
  damage: string | undefined;
  reportPath: string | undefined;
}

function resultOf(ended: Ended): Result {
  const { report, format, source, isRehearsal, damage } = ended;
  const { added, there, refusals, changes, refused, changed, skipped } = report;
  return {
    json: {
      ...{ format, source, dry_run: isRehearsal },
      ...counted(added),
      already_there: counted(there),
      ...{ refusals, refused, changes, changed, skipped: Object.fromEntries(skipped) },
      ...(damage === undefined ? {} : { damaged: damage }),
    },
    text: textOf(ended),
    failed: refusals > 0 || damage !== undefined,
  };
}

// More of them is no help on a screen.
const MOST_SHOWN = 20;

function textOf({ report, source, isRehearsal, damage, reportPath }: Ended): string {
  const { added, there, refusals, changes, refused, changed, skipped } = report;
  const list = (counts: Record<RecordKind, number>) =>
    Object.entries(counted(counts))
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ');
  const shown = (told: typeof refused, all: number) => [
    ...told
      .slice(0, MOST_SHOWN)
      .map(({ line, record, reason }) => `  ${record ?? `line ${line}`}: ${reason}`),
    ...(all > MOST_SHOWN
      ? [
          `  … and ${all - MOST_SHOWN} more${reportPath === undefined ? '; --report FILE writes all of them' : ''}`,
        ]
      : []),
  ];
  const lines = [
    `${isRehearsal ? 'Would take in' : 'Took in'} from "${source}": ${list(added)}.`,
    ...(Object.values(there).some((count) => count > 0) ? [`Already there: ${list(there)}.`] : []),
    ...[...skipped].map(([what, count]) => `Skipped: ${count} ${what}.`),
    ...(changes > 0 ? [`Changed: ${changes}.`, ...shown(changed, changes)] : []),
    `Refused: ${refusals}.`,
    ...shown(refused, refusals),
    ...(damage === undefined ? [] : [`${damage} What came before is in.`]),
    ...(reportPath === undefined ? [] : [`All of this is in ${reportPath}.`]),
  ];
  return lines.join('\n');
}

function counted(counts: Record<RecordKind, number>): Record<string, number> {
  const { member, category, post, comment, like } = counts;
  return { members: member, categories: category, posts: post, comments: comment, likes: like };
}
