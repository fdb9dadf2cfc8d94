// Running a command line: find the command, read its options, run it, and format the output.

import { escapeHidden } from '../lib/one-line.ts';
import { Refusal } from '../lib/refusal.ts';
import { closest } from '../lib/suggestion.ts';
import { VERSION } from '../lib/version.ts';
import type { Command, Context, Result } from './command.ts';
import { helpForCommand, helpForProgram } from './help.ts';
import { jsonText } from './listing.ts';
import { COMMON_OPTIONS, didYouMean, readArguments, WrongUsage } from './options.ts';

/** The exit code and output. 0: success. 1: refused or not found. 2: wrong command line or setting. */
export interface Ending {
  code: 0 | 1 | 2;
  stdout: string;
  stderr: string;
}

// A command starts faster without the modules of the others, so the first word decides which are loaded.
const NOUNS: Record<string, () => Promise<readonly Command[]>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommands,
  sandbox: async () => (await import('./commands/sandbox.ts')).sandboxCommands,
  user: async () => (await import('./commands/user.ts')).userCommands,
  client: async () => (await import('./commands/client.ts')).clientCommands,
  token: async () => (await import('./commands/token.ts')).tokenCommands,
  consent: async () => (await import('./commands/consent.ts')).consentCommands,
  post: async () => (await import('./commands/post.ts')).postCommands,
  import: async () => (await import('./commands/import.ts')).importCommands,
  invitation: async () => (await import('./commands/invitation.ts')).invitationCommands,
  keys: async () => (await import('./commands/keys.ts')).keysCommands,
  backup: async () => (await import('./commands/backup.ts')).backupCommands,
  restore: async () => (await import('./commands/backup.ts')).restoreCommands,
  'migrate-database': async () => (await import('./commands/migrate-database.ts')).migrateDatabaseCommands,
  pictures: async () => (await import('./commands/pictures.ts')).picturesCommands,
  purge: async () => (await import('./commands/purge.ts')).purgeCommands,
  audit: async () => (await import('./commands/audit.ts')).auditCommands,
  security: async () => (await import('./commands/security.ts')).securityCommands,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommands,
};

/** Run a command line. An error becomes a message and an exit code. */
export async function runProgram(words: readonly string[], context: Context): Promise<Ending> {
  const asJson = wants(words, '--json');
  try {
    return ending(await runWords(words, { ...context, asJson }), asJson);
  } catch (error) {
    return failure(error, asJson);
  }
}

async function runWords(words: readonly string[], context: Context): Promise<Result> {
  const rest = [...words];
  const wantsHelp = wants(words, '--help') || words[0] === 'help';
  if (words[0] === 'help') rest.shift();
  // The common options may also precede the command.
  const creates = wants(words, '--create');
  while (rest[0]?.startsWith('--') && Object.hasOwn(COMMON_OPTIONS, rest[0].slice(2))) rest.shift();
  if (rest[0] === '--version') return { json: { version: VERSION }, text: `portico ${VERSION}` };
  const noun = rest[0];
  if (noun === undefined || noun.startsWith('-')) {
    if (wantsHelp) return help(helpForProgram(await allCommands()));
    throw new WrongUsage('Which command? See portico --help.');
  }
  const commands = await commandsOf(noun);
  const command = commands.find(
    ({ name }) => rest.join(' ').startsWith(`${name} `) || rest.join(' ') === name,
  );
  if (command === undefined) {
    if (wantsHelp) return help(helpForProgram(commands));
    throw unknownCommand(noun, rest[1], commands);
  }
  if (wantsHelp) return help(helpForCommand(command));
  return runCommand(command, rest.slice(command.name.split(' ').length), {
    ...context,
    asJson: wants(words, '--json'),
    creates: creates || command.creates === true,
  });
}

async function runCommand(command: Command, words: readonly string[], context: Context): Promise<Result> {
  try {
    const values = readArguments(words, command.options, command.argument === undefined ? 0 : 1);
    if (command.argument !== undefined && !command.argument.optional && values.positionals.length === 0) {
      throw new WrongUsage(`${command.argument.name} is missing.`);
    }
    return await command.run(values, context);
  } catch (error) {
    if (!(error instanceof WrongUsage)) throw error;
    throw new WrongUsage(`${error.message} See portico ${command.name} --help.`);
  }
}

async function commandsOf(noun: string): Promise<readonly Command[]> {
  const load = Object.hasOwn(NOUNS, noun) ? NOUNS[noun] : undefined;
  if (load !== undefined) return load();
  const suggestion = didYouMean(closest(noun, Object.keys(NOUNS)));
  throw new WrongUsage(`There is no command "${noun}".${suggestion} See portico --help.`);
}

function unknownCommand(noun: string, verb: string | undefined, commands: readonly Command[]): WrongUsage {
  const names = commands.map(({ name }) => name);
  const guess =
    verb === undefined
      ? undefined
      : closest(
          verb,
          names.map((name) => name.split(' ')[1] ?? ''),
        );
  const suggestion = didYouMean(names.find((name) => name.endsWith(` ${guess}`)));
  const given = verb === undefined ? 'A word is missing.' : `There is no command "${noun} ${verb}".`;
  return new WrongUsage(`${given} The commands here are: ${names.join(', ')}.${suggestion}`);
}

async function allCommands(): Promise<Command[]> {
  return (await Promise.all(Object.values(NOUNS).map((load) => load()))).flat();
}

// The words after a bare "--" are never options.
function wants(words: readonly string[], flag: string): boolean {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end)).includes(flag);
}

function help(text: string): Result {
  return { json: { help: text }, text };
}

function ending(result: Result, asJson: boolean): Ending {
  if ('isWritten' in result) return { code: 0, stdout: '', stderr: '' };
  const stdout = asJson ? jsonText(result.json) : escapeLines(result.text);
  return { code: result.failed ? 1 : 0, stdout: stdout === '' ? '' : `${stdout}\n`, stderr: '' };
}

// Texts come from files and from members, and a terminal obeys control characters.
function escapeLines(text: string): string {
  return text.split('\n').map(escapeHidden).join('\n');
}

async function failure(error: unknown, asJson: boolean): Promise<Ending> {
  const { InvalidSetting } = await import('../config.ts');
  const endingWith = (code: 1 | 2, name: string, { message }: Error): Ending =>
    asJson
      ? { code, stdout: `${jsonText({ error: { code: name, message } })}\n`, stderr: '' }
      : { code, stdout: '', stderr: escapeLines(`portico: ${message}\n`) };
  if (error instanceof WrongUsage) return endingWith(2, 'wrong_usage', error);
  if (error instanceof InvalidSetting) return endingWith(2, 'invalid_setting', error);
  if (error instanceof Refusal) return endingWith(1, error.code, error);
  // This is a bug, and a bug report needs the stack trace.
  const bug = error instanceof Error ? error : new Error(String(error));
  return { ...endingWith(1, 'unexpected', bug), stderr: escapeLines(`${bug.stack}\n`) };
}
