// The options of a command as data. Their values and the errors about them follow from the declaration.

import { parseArgs } from 'node:util';
import { closest } from '../lib/suggestion.ts';

export type Option =
  | { kind: 'flag'; summary: string }
  | { kind: 'text'; value: string; summary: string; required?: true; choices?: readonly string[] }
  | { kind: 'integer'; value: string; summary: string; required?: true }
  /** May be repeated. With `spaced`, a space also separates items. */
  | {
      kind: 'list';
      value: string;
      summary: string;
      required?: true;
      choices?: readonly string[];
      spaced?: true;
    };

export type Options = Record<string, Option>;

/** The type of an option's value. Undefined only for an option that can be left out. */
type ValueOf<O extends Option> = O extends { kind: 'flag' }
  ? boolean
  : O extends { kind: 'list'; choices: readonly (infer C)[] }
    ? C[]
    : O extends { kind: 'list' }
      ? string[]
      : ScalarOf<O> | (O extends { required: true } ? never : undefined);

type ScalarOf<O extends Option> = O extends { kind: 'integer' }
  ? number
  : O extends { choices: readonly (infer C)[] }
    ? C
    : string;

export type Values<O extends Options> = { [Name in keyof O]: ValueOf<O[Name]> };

/** The command line is wrong, and nothing was done. The message quotes no value that could be a secret. */
export class WrongUsage extends Error {}

/** The options that every command has. */
export const COMMON_OPTIONS = {
  json: { kind: 'flag', summary: 'print one JSON document and nothing else' },
  create: { kind: 'flag', summary: 'make a new community if there is none at DATABASE_URL' },
  help: { kind: 'flag', summary: 'show this help' },
} as const satisfies Options;

export interface ReadArguments {
  values: Record<string, unknown>;
  positionals: string[];
}

/** Read the words after a command's name. Throws `WrongUsage` for the first mistake. */
export function readArguments(
  words: readonly string[],
  declared: Options,
  mostPositionals: number,
): ReadArguments {
  const options: Options = { ...declared, ...COMMON_OPTIONS };
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { kind }]) => [
        name,
        { type: kind === 'flag' ? ('boolean' as const) : ('string' as const) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const texts = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind === 'option') addValue(texts, token, options);
  }
  if (positionals.length > mostPositionals) {
    throw new WrongUsage('There is one word too many. Put quotes around a value that contains spaces.');
  }
  const values = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, readValue(name, option, texts.get(name))]),
  );
  return { values, positionals };
}

function addValue(
  texts: Map<string, string[]>,
  token: { name: string; rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
  options: Options,
): void {
  const { name, value } = token;
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined || !token.rawName.startsWith('--')) throw unknownOption(token.rawName, options);
  const before = texts.get(name) ?? [];
  if (option.kind === 'flag') {
    if (value !== undefined) throw new WrongUsage(`--${name} takes no value.`);
    texts.set(name, ['']);
    return;
  }
  // A word with a dash is usually the next option, not a value. "-" alone means standard input.
  const isValueForgotten = token.inlineValue === false && value !== '-' && value?.startsWith('-');
  if (value === undefined || isValueForgotten) {
    throw new WrongUsage(`--${name} needs a value. Write a value that begins with a dash as --${name}=-…`);
  }
  if (option.kind !== 'list' && before.length > 0) throw new WrongUsage(`--${name} appears twice.`);
  texts.set(name, [...before, value]);
}

function readValue(name: string, option: Option, texts: string[] | undefined): unknown {
  if (option.kind === 'flag') return texts !== undefined;
  if (texts === undefined) {
    if (option.required) throw new WrongUsage(`--${name} ${option.value} is missing.`);
    return option.kind === 'list' ? [] : undefined;
  }
  if (option.kind === 'integer') return readInteger(name, texts[0] ?? '');
  const items =
    option.kind === 'list' && option.spaced
      ? texts.flatMap((text) => text.split(/\s+/).filter((word) => word !== ''))
      : texts;
  if (option.required && items.length === 0) throw new WrongUsage(`--${name} ${option.value} is empty.`);
  for (const item of items) checkChoice(name, item, option.choices);
  return option.kind === 'list' ? items : items[0];
}

function readInteger(name: string, text: string): number {
  if (!/^-?\d{1,15}$/.test(text))
    throw new WrongUsage(`--${name} must be a whole number, not ${quoted(text)}.`);
  return Number(text);
}

function checkChoice(name: string, item: string, choices: readonly string[] | undefined): void {
  if (choices === undefined || choices.includes(item)) return;
  throw new WrongUsage(
    `--${name} must be one of ${choices.join(', ')}, not ${quoted(item)}.${didYouMean(closest(item, choices))}`,
  );
}

function unknownOption(rawName: string, options: Options): WrongUsage {
  const names = Object.keys(options).map((name) => `--${name}`);
  // A typing mistake can put a secret here, so only a possible option name is repeated.
  const message = /^--?[a-z][a-z-]{0,40}$/i.test(rawName) ? `Unknown option ${rawName}.` : 'Unknown option.';
  return new WrongUsage(message + didYouMean(closest(rawName, names)));
}

/** What was given, for an error about an option that is no secret. */
export function quoted(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;
}

/** The end of an error message: a question, or nothing without a suggestion. */
export function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
}
