// What a command is: its name, its options, and what it does with them.

import type { Config } from '../config.ts';
import type { Options, ReadArguments, Values } from './options.ts';

/** What a command has to say, for programs and for people. */
export interface Result {
  json: unknown;
  /** Without the last line break. */
  text: string;
  /** The command did its work and found something wrong. */
  failed?: boolean;
}

/** What a command may reach besides its options. */
export interface Context {
  /** The settings. Throws `InvalidSetting`. */
  config(): Promise<Config>;
  /** Shows how far a long work has come, from 0 to 1, to a person who watches. */
  progress(share: number): void;
  /** All of standard input. */
  readInput(): Promise<string>;
}

/** A word after the command's name that is not an option. */
export interface Argument {
  name: string;
  summary: string;
}

export interface CommandDefinition<O extends Options> {
  /** One or two words. */
  name: string;
  summary: string;
  /** What one should know before using it. */
  details?: string;
  argument?: Argument;
  options: O;
  run(values: Values<O>, context: Context, argument: string): Promise<Result>;
}

export interface Command extends Omit<CommandDefinition<Options>, 'run'> {
  run(given: ReadArguments, context: Context): Promise<Result>;
}

/** Declares a command; what `run` gets is typed by the options. */
export function command<const O extends Options>(definition: CommandDefinition<O>): Command {
  return {
    ...definition,
    run({ values, positionals }, context) {
      // The options were read by their declaration, so the values have its types.
      return definition.run(values as Values<O>, context, positionals[0] ?? '');
    },
  };
}
