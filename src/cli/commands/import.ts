// Importing a community from a file.

import { byCommandLine } from '../../audit/doer.ts';
import { normalizeUsername, usernameKey } from '../../identity/username.ts';
import { dryRunOf } from '../../import/dry-run.ts';
import { FORMATS, type Format, openImportFile } from '../../import/formats/import-file.ts';
import { importAll } from '../../import/import-all.ts';
import { DamagedFile, type RecordKind } from '../../import/record.ts';
import { openReport, type Report, type ReportLine } from '../../import/report.ts';
import { escapeHidden } from '../../lib/one-line.ts';
import { command, type Result } from '../command.ts';
import { quoted, WrongUsage } from '../options.ts';
import { withPortico } from '../portico.ts';
import { importAddresses } from './import-addresses.ts';

const importCommand = command({
  name: 'import',
  summary: 'import members, categories, posts, comments and likes from a file',
  details: [
    'The file has JSON lines, is a backup or an export of Discourse, or an export of WordPress (WXR); see ' +
      'docs/importing.md.',
    'In JSON lines, each line is one record:',
    '  {"type":"member","username":"alice","email":"...","bio":"...","createdAt":"2026-01-31T09:30:00+08:00"}',
    '  {"type":"post","id":1,"author":"alice","title":"...","body":"Markdown","category":"Craft","draft":true}',
    '  {"type":"comment","id":7,"post":1,"author":"bob","body":"...","replyTo":6,"createdAt":"..."}',
    '  {"type":"like","post":1,"by":"bob"}',
    'A record comes after the records that it refers to. An invalid record is refused and reported; all others ' +
      'are imported. You can interrupt the command at any time and run it again, also after you edit the file: ' +
      'records that were imported before are skipped.',
  ].join('\n'),
  argument: { name: 'FILE', summary: 'the file' },
  options: {
    format: {
      kind: 'text',
      value: 'FORMAT',
      summary: 'the format of the file, detected if left out',
      choices: FORMATS,
    },
    source: {
      kind: 'text',
      value: 'NAME',
      summary:
        'a name for the community that the records come from; records that were imported under this name ' +
        'before are skipped. ' +
        "If left out: the file's name, discourse, or the address of the WordPress site",
    },
    member: {
      kind: 'list',
      value: 'THEIRS=OURS',
      summary: 'a member of the source who has an account here already',
    },
    report: {
      kind: 'text',
      value: 'FILE',
      summary: 'write every refused, changed or skipped record to this file, as JSON lines',
    },
    'dry-run': { kind: 'flag', summary: 'write nothing, and report what an import would do' },
  },
  creates: true,
  async run({ format, source: name, member, report: reportPath, 'dry-run': isDryRun }, context, path) {
    const existingMembers = readExistingMembers(member);
    checkSource(name);
    const file = await openImportFile(path, format);
    const source = name ?? file.source;
    return withPortico(context, async (portico) => {
      const report = openReport(reportPath);
      const destination = isDryRun ? dryRunOf(portico.imports) : portico.imports;
      const by = byCommandLine(portico.clock);
      let damage: string | undefined;
      try {
        await importAll(destination, file, { by, source, format: file.format, existingMembers, report }, () =>
          context.progress(Math.min(0.99, file.progress())),
        );
      } catch (error) {
        if (!(error instanceof DamagedFile)) throw error;
        damage = escapeHidden(error.message);
      } finally {
        report.close();
      }
      context.progress(1);
      return resultOf({ report, format: file.format, source, isDryRun, damage, reportPath });
    });
  },
});

export const importCommands = [importAddresses, importCommand];

function checkSource(name: string | undefined): void {
  if (name === undefined || /^[^\p{Cc}]{1,200}$/u.test(name)) return;
  throw new WrongUsage('--source must have 1 to 200 characters, and no control characters.');
}

function readExistingMembers(pairs: readonly string[]): Map<string, string> {
  return new Map(
    pairs.map((pair) => {
      const [theirs = '', ours = ''] = pair.split('=').map(normalizeUsername);
      if (theirs !== '' && ours !== '') return [usernameKey(theirs), ours];
      throw new WrongUsage(
        `--member must be THEIRS=OURS, the username in the source and the one here, not ${quoted(pair)}.`,
      );
    }),
  );
}

interface Summary {
  report: Report;
  format: Format;
  source: string;
  isDryRun: boolean;
  /** Why the file can't be read to its end. */
  damage: string | undefined;
  reportPath: string | undefined;
}

function resultOf(summary: Summary): Result {
  const { report, format, source, isDryRun, damage } = summary;
  return {
    json: {
      format,
      source,
      dry_run: isDryRun,
      ...plural(report.added),
      already_there: plural(report.alreadyThere),
      pictures: report.pictures,
      refusals: report.refusals,
      refused: report.firstRefusals,
      changes: report.changes,
      changed: report.firstChanges,
      skipped: Object.fromEntries(report.skipped),
      ...(damage === undefined ? {} : { damaged: damage }),
    },
    text: textOf(summary),
    failed: report.refusals > 0 || damage !== undefined,
  };
}

function textOf({ report, source, isDryRun, damage, reportPath }: Summary): string {
  const { added, alreadyThere, skipped, refusals, changes } = report;
  const lines = [`${isDryRun ? 'Would import' : 'Imported'} from "${source}": ${listOf(added)}.`];
  if (Object.values(alreadyThere).some((count) => count > 0)) {
    lines.push(`Already there: ${listOf(alreadyThere)}.`);
  }
  if (report.pictures > 0) lines.push(picturesLine(report.pictures));
  if (skipped.size > 0) lines.push('Skipped:', ...[...skipped].map(([sort, count]) => `  ${sort}: ${count}`));
  if (changes > 0) lines.push(`Changed: ${changes}.`, ...linesOf(report.firstChanges, changes, reportPath));
  lines.push(`Refused: ${refusals}.`, ...linesOf(report.firstRefusals, refusals, reportPath));
  if (damage !== undefined) lines.push(`${damage} The records before that were read.`);
  if (reportPath !== undefined) lines.push(`The full report is in ${reportPath}.`);
  return lines.join('\n');
}

function picturesLine(count: number): string {
  return `Pictures in the texts: ${count}. They stay on the old site, and the texts link to them.`;
}

const MOST_SHOWN = 20;

function linesOf(first: readonly ReportLine[], total: number, reportPath: string | undefined): string[] {
  const lines = first
    .slice(0, MOST_SHOWN)
    .map(({ line, record, reason }) => `  ${record ?? `line ${line}`}: ${reason}`);
  const hint = reportPath === undefined ? '; --report FILE writes all of them' : '';
  if (total > MOST_SHOWN) lines.push(`  … and ${total - MOST_SHOWN} more${hint}`);
  return lines;
}

function listOf(counts: Record<RecordKind, number>): string {
  return KINDS.map(([kind, one, several]) => `${counts[kind]} ${counts[kind] === 1 ? one : several}`).join(
    ', ',
  );
}

function plural(counts: Record<RecordKind, number>): Record<string, number> {
  return Object.fromEntries(KINDS.map(([kind, , several]) => [several, counts[kind]]));
}

const KINDS = [
  ['member', 'member', 'members'],
  ['category', 'category', 'categories'],
  ['post', 'post', 'posts'],
  ['comment', 'comment', 'comments'],
  ['like', 'like', 'likes'],
] as const satisfies [RecordKind, string, string][];
