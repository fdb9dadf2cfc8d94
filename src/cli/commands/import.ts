// Importing a community from a file.

import { byCommandLine } from '../../audit/doer.ts';
import { normalizeUsername, usernameKey } from '../../identity/username.ts';
import type { Destination } from '../../import/destination.ts';
import { dryRunOf } from '../../import/dry-run.ts';
import { countPicturesToFetch, fetchPictures, type PictureOptions } from '../../import/fetch-pictures.ts';
import { FORMATS, type Format, openImportFile } from '../../import/formats/import-file.ts';
import { importAll } from '../../import/import-all.ts';
import { DamagedFile, type RecordKind } from '../../import/record.ts';
import { openReport, type Report, type ReportLine } from '../../import/report.ts';
import { escapeHidden } from '../../lib/one-line.ts';
import { type Context, command, type Result } from '../command.ts';
import { quoted, WrongUsage } from '../options.ts';
import { withPortico } from '../portico.ts';
import { importAddresses } from './import-addresses.ts';

const MOST_PICTURES = 10_000;

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
    site: {
      kind: 'text',
      value: 'URL',
      summary: 'the address of the old site, for pictures whose addresses have no host',
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
    'fetch-pictures': {
      kind: 'flag',
      summary:
        'download the pictures in the posts and comments of this source into the community, also of those that were ' +
        'imported before',
    },
    'most-pictures': {
      kind: 'integer',
      value: 'N',
      summary: `with --fetch-pictures: how many pictures are tried at most, ${MOST_PICTURES} if left out`,
    },
    'dry-run': { kind: 'flag', summary: 'write nothing, and report what an import would do' },
  },
  creates: true,
  async run(options, context, path) {
    const { format, source: name, report: reportPath, 'dry-run': isDryRun } = options;
    const existingMembers = readExistingMembers(options.member);
    const mostPictures = readMostPictures(options);
    checkSource(name);
    const site = readSite(options.site);
    const file = await openImportFile(path, format, site);
    const source = name ?? file.source;
    return withPortico(context, async (portico) => {
      const report = openReport(reportPath);
      const destination = isDryRun ? dryRunOf(portico.imports) : portico.imports;
      const by = byCommandLine(portico.clock);
      const importOptions = { by, source, site, format: file.format, existingMembers, report };
      const share = mostPictures === 0 ? 1 : SHARE_OF_RECORDS;
      let damage: string | undefined;
      try {
        damage = await damageIn(
          importAll(destination, file, importOptions, () =>
            context.progress(Math.min(0.99, file.progress()) * share),
          ),
        );
        if (mostPictures > 0) {
          const pictures = { source, site, report, most: mostPictures, requests: context.requests ?? {} };
          await (isDryRun ? foretellPictures : downloadPictures)(portico.imports, pictures, context);
        }
      } finally {
        report.close();
      }
      context.progress(1);
      return resultOf({ report, format: file.format, source, isDryRun, mostPictures, damage, reportPath });
    });
  },
});

export const importCommands = [importAddresses, importCommand];

// Of the whole work, if pictures are downloaded too.
const SHARE_OF_RECORDS = 0.2;

/** How many pictures to try; 0: none. */
function readMostPictures(options: {
  'fetch-pictures': boolean;
  'most-pictures': number | undefined;
}): number {
  const { 'fetch-pictures': isWanted, 'most-pictures': most = MOST_PICTURES } = options;
  if (!isWanted && options['most-pictures'] !== undefined) {
    throw new WrongUsage('--most-pictures needs --fetch-pictures.');
  }
  if (most < 1) throw new WrongUsage(`--most-pictures must be 1 or more, not ${most}.`);
  return isWanted ? most : 0;
}

/** Wait for the import. Returns why the file can't be read to its end, undefined if it was. */
async function damageIn(importing: Promise<void>): Promise<string | undefined> {
  try {
    await importing;
    return undefined;
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    return escapeHidden(error.message);
  }
}

async function downloadPictures(
  destination: Destination,
  options: PictureOptions,
  context: Context,
): Promise<void> {
  const total = Math.min(await countPicturesToFetch(destination.reads, options), options.most);
  await fetchPictures(destination, options, (tried) =>
    context.progress(SHARE_OF_RECORDS + (1 - SHARE_OF_RECORDS) * Math.min(0.99, tried / total)),
  );
}

/** The report has the pictures of the records that would be added. Add those of the texts that are there already. */
async function foretellPictures({ reads }: Destination, options: PictureOptions): Promise<void> {
  const { report, most } = options;
  const stored = await countPicturesToFetch(reads, options);
  report.picturesToFetch = Math.min(report.picturesToFetch + stored, most);
}

function checkSource(name: string | undefined): void {
  if (name === undefined || /^[^\p{Cc}]{1,200}$/u.test(name)) return;
  throw new WrongUsage('--source must have 1 to 200 characters, and no control characters.');
}

function readSite(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol))
    return `${url.origin}${url.pathname}`.replace(/\/$/, '');
  throw new WrongUsage(`--site must be an address such as https://forum.example.org, not ${quoted(text)}.`);
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
  /** 0 if none are downloaded. */
  mostPictures: number;
  /** Why the file can't be read to its end. */
  damage: string | undefined;
  reportPath: string | undefined;
}

function resultOf(summary: Summary): Result {
  const { report, format, source, isDryRun, mostPictures, damage } = summary;
  return {
    json: {
      format,
      source,
      dry_run: isDryRun,
      ...plural(report.added),
      already_there: plural(report.alreadyThere),
      pictures: report.pictures,
      ...(mostPictures > 0 && picturesInJson(report, isDryRun)),
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

function picturesInJson(report: Report, isDryRun: boolean) {
  if (isDryRun) return { pictures_to_fetch: report.picturesToFetch };
  return {
    pictures_fetched: report.fetchedPictures,
    pictures_linked: Object.fromEntries(report.pictureProblems),
  };
}

function textOf(summary: Summary): string {
  const { report, source, isDryRun, damage, reportPath } = summary;
  const { added, alreadyThere, skipped, refusals, changes } = report;
  const lines = [`${isDryRun ? 'Would import' : 'Imported'} from "${source}": ${listOf(added)}.`];
  if (Object.values(alreadyThere).some((count) => count > 0)) {
    lines.push(`Already there: ${listOf(alreadyThere)}.`);
  }
  lines.push(...picturesLines(summary));
  if (skipped.size > 0) lines.push('Skipped:', ...[...skipped].map(([sort, count]) => `  ${sort}: ${count}`));
  if (changes > 0) lines.push(`Changed: ${changes}.`, ...linesOf(report.firstChanges, changes, reportPath));
  lines.push(`Refused: ${refusals}.`, ...linesOf(report.firstRefusals, refusals, reportPath));
  if (damage !== undefined) lines.push(`${damage} The records before that were read.`);
  if (reportPath !== undefined) lines.push(`The full report is in ${reportPath}.`);
  return lines.join('\n');
}

function picturesLines({ report, isDryRun, mostPictures }: Summary): string[] {
  const { pictures, picturesToFetch, fetchedPictures, pictureProblems } = report;
  if (mostPictures === 0) {
    return pictures === 0
      ? []
      : [`Pictures in the texts: ${pictures}. They stay on the old site, and the texts link to them.`];
  }
  if (isDryRun) return [`Pictures to download: ${picturesToFetch}.`];
  const problems = [...pictureProblems].toSorted(([, a], [, b]) => b - a);
  const linked = problems.reduce((sum, [, count]) => sum + count, 0);
  const lines = problems.slice(0, MOST_SHOWN).map(([reason, count]) => `  ${reason}: ${count}`);
  if (problems.length > MOST_SHOWN) lines.push(`  … and ${problems.length - MOST_SHOWN} more reasons`);
  return [`Pictures: ${fetchedPictures} downloaded, ${linked} still links to the old site.`, ...lines];
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
