// The declaration of a command: its name, its options and its work.

import type { Config } from '../config.ts';
import type { Requests } from '../import/fetch-pictures.ts';
import { escapeHidden } from '../lib/one-line.ts';
import type { Options, ReadArguments, Values } from './options.ts';

/** The output of a command, for programs and for people. */
export type Result = Output | { isWritten: true };

/** The output as a whole. A command that writes its output while it runs has none. */
export interface Output {
  json: unknown;
  /** Without a line break at the end. */
  text: string;
  /** The command ran to its end and reports a problem: exit code 1. */
  failed?: boolean;
}

/** One line for each item, whatever texts it has. */
export function listText<T>(items: readonly T[], toLine: (item: T) => string): string {
  return items.map((item) => escapeHidden(toLine(item))).join('\n');
}

/** The surroundings of a command. */
export interface Context {
  /** The settings. Throws `InvalidSetting`. */
  config(): Promise<Config>;
  /** Whether the command makes a community if there is none. */
  creates: boolean;
  /** Whether the output is for programs. */
  asJson: boolean;
  /** Writes to standard output, and waits while its reader is slow. */
  write(text: string): Promise<void>;
  /** Shows the progress of long work, from 0 to 1. */
  progress(share: number): void;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  /** Where requests to public addresses lead instead, in tests. */
  requests?: Requests;
  /** Writes a file to standard output. Throws `Refusal` if that is a terminal. */
  writeOutput(path: string): Promise<void>;
}

/** A word after the command's name that isn't an option. */
export interface Argument {
  name: string;
  summary: string;
  optional?: true;
}

export interface CommandDefinition<O extends Options> {
  /** One or two words. */
  name: string;
  summary: string;
  /** More text for `--help`: paragraphs, and indented lines that are examples. */
  details?: string;
  argument?: Argument;
  /** The command makes a community where there is none, also without --create. */
  creates?: true;
  options: O;
  run(values: Values<O>, context: Context, argument: string): Promise<Result>;
}

export interface Command extends Omit<CommandDefinition<Options>, 'run'> {
  run(words: ReadArguments, context: Context): Promise<Result>;
}

/** Declare a command. The options decide the types of the values that `run` receives. */
export function command<const O extends Options>(definition: CommandDefinition<O>): Command {
  return {
    ...definition,
    run({ values, positionals }, context) {
      // The values were read by this declaration, so they have its types.
      return definition.run(values as Values<O>, context, positionals[0] ?? '');
    },
  };
}
