// What a command takes, as data: reading it, and the errors about it, follow from the declaration.

import { parseArgs } from 'node:util';
import { closest } from './suggestion.ts';

export type Option =
  | { kind: 'flag'; summary: string }
  | { kind: 'text'; value: string; summary: string; required?: true; choices?: readonly string[] }
  | { kind: 'integer'; value: string; summary: string; required?: true }
  /** May be given several times; an item with spaces is taken apart if `spaced`. */
  | {
      kind: 'list';
      value: string;
      summary: string;
      required?: true;
      choices?: readonly string[];
      spaced?: true;
    };

export type Options = Record<string, Option>;

/** What a declared option yields: undefined only where it may be left out. */
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

/** The command line can't be understood. Nothing was done. The message repeats no value, which may be a secret. */
export class WrongUsage extends Error {}

/** Options that every command has, besides its own. */
export const COMMON_OPTIONS = {
  json: { kind: 'flag', summary: 'print one JSON document and nothing else' },
  help: { kind: 'flag', summary: 'explain the command' },
} as const satisfies Options;

export interface ReadArguments {
  values: Record<string, unknown>;
  positionals: string[];
}

/** Reads the words after a command's name. Throws `WrongUsage` for the first thing that is wrong. */
export function readArguments(words: readonly string[], declared: Options, takes: number): ReadArguments {
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
  const given = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind === 'option') addValue(given, token, options);
  }
  if (positionals.length > takes) {
    throw new WrongUsage('There is a word too many. Quote a value that contains spaces.');
  }
  const values = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, readValue(name, option, given.get(name))]),
  );
  return { values, positionals };
}

function addValue(
  given: Map<string, string[]>,
  token: { name: string; rawName: string; value?: string | undefined; inlineValue?: boolean | undefined },
  options: Options,
): void {
  const { name, value } = token;
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined || !token.rawName.startsWith('--')) throw unknownOption(token.rawName, options);
  const before = given.get(name) ?? [];
  if (option.kind === 'flag') {
    if (value !== undefined) throw new WrongUsage(`--${name} takes no value.`);
    given.set(name, ['']);
    return;
  }
  // Far more often a forgotten value than one that looks like an option. "-" alone means standard input.
  const looksForgotten = token.inlineValue === false && value !== '-' && value?.startsWith('-');
  if (value === undefined || looksForgotten) {
    throw new WrongUsage(`--${name} needs a value. One that begins with a dash is written --${name}=-…`);
  }
  if (option.kind !== 'list' && before.length > 0) throw new WrongUsage(`--${name} is given twice.`);
  given.set(name, [...before, value]);
}

function readValue(name: string, option: Option, given: string[] | undefined): unknown {
  if (option.kind === 'flag') return given !== undefined;
  if (given === undefined) {
    if (option.required) throw new WrongUsage(`--${name} ${option.value} is missing.`);
    return option.kind === 'list' ? [] : undefined;
  }
  if (option.kind === 'integer') return readInteger(name, given[0] ?? '');
  const items =
    option.kind === 'list' && option.spaced
      ? given.flatMap((item) => item.split(/\s+/).filter((word) => word !== ''))
      : given;
  if (option.required && items.length === 0) throw new WrongUsage(`--${name} ${option.value} is empty.`);
  for (const item of items) checkChoice(name, item, option.choices);
  return option.kind === 'list' ? items : items[0];
}

function readInteger(name: string, text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new WrongUsage(`--${name} must be a whole number.`);
  return Number(text);
}

function checkChoice(name: string, item: string, choices: readonly string[] | undefined): void {
  if (choices === undefined || choices.includes(item)) return;
  throw new WrongUsage(
    `--${name} must be one of ${choices.join(', ')}.${didYouMean(closest(item, choices))}`,
  );
}

function unknownOption(rawName: string, options: Options): WrongUsage {
  const names = Object.keys(options).map((name) => `--${name}`);
  // Only what can be an option's name is repeated: after a slip of the hand it may be something else.
  const named = /^--?[a-z][a-z-]{0,40}$/i.test(rawName) ? `Unknown option ${rawName}.` : 'Unknown option.';
  return new WrongUsage(named + didYouMean(closest(rawName, names)));
}

/** The question that ends an error message, empty if there is nothing to suggest. */
export function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
}
