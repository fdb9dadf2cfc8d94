// The texts of --help, from the declarations.

import type { Command } from './command.ts';
import { COMMON_OPTIONS, type Option, type Options } from './options.ts';

const WIDTH = 100;

/** The help for the whole program. */
export function helpForProgram(commands: readonly Command[]): string {
  return [
    'Usage: portico <command> [options]',
    '',
    'For operators. You can run it while the server runs. Changes apply from the next request.',
    '',
    'Commands:',
    ...columns(commands.map((command) => [nameWithArgument(command), command.summary])),
    '',
    'Options of every command:',
    ...columns(optionRows(COMMON_OPTIONS)),
    '',
    'portico --version prints the version.',
    '',
    'Exit codes: 0 success, 1 refused or not found, 2 wrong command line or setting.',
  ].join('\n');
}

/** The help for one command. */
export function helpForCommand(command: Command): string {
  const ownRows = optionRows(command.options);
  return [
    `Usage: portico ${nameWithArgument(command)}${ownRows.length > 0 ? ' [options]' : ''}`,
    '',
    `${capitalized(command.summary)}.`,
    ...(command.details?.split('\n').flatMap(paragraph) ?? []),
    '',
    ...(command.argument === undefined
      ? []
      : [...columns([[command.argument.name, command.argument.summary]]), '']),
    'Options:',
    ...columns([...ownRows, ...optionRows(COMMON_OPTIONS)]),
  ].join('\n');
}

/** Wrap a paragraph. An indented line is an example and stays as it is. */
function paragraph(text: string): string[] {
  return text.startsWith(' ') ? [text] : wrapped(text, WIDTH);
}

type Row = [left: string, right: string];

function optionRows(options: Options): Row[] {
  return Object.entries(options).map(([name, option]) => [
    `--${name}${option.kind === 'flag' ? '' : ` ${option.value}`}${option.kind === 'list' ? ' …' : ''}`,
    descriptionOf(option),
  ]);
}

function descriptionOf(option: Option): string {
  const requiredNote = option.kind !== 'flag' && option.required ? ' (required)' : '';
  const choices =
    (option.kind === 'text' || option.kind === 'list') && option.choices
      ? `: ${option.choices.join(', ')}`
      : '';
  return option.summary + choices + requiredNote;
}

function nameWithArgument(command: Command): string {
  const { name, argument } = command;
  if (argument === undefined) return name;
  return `${name} ${argument.optional ? `[${argument.name}]` : argument.name}`;
}

function columns(rows: readonly Row[]): string[] {
  const left = Math.max(...rows.map(([name]) => name.length));
  return rows.flatMap(([name, text]) => {
    const [first = '', ...more] = wrapped(text, WIDTH - left - 4);
    return [`  ${name.padEnd(left)}  ${first}`, ...more.map((line) => ' '.repeat(left + 4) + line)];
  });
}

function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
