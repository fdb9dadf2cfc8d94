// A list of checks and their results.

import { failureReason } from '../lib/failure-reason.ts';
import { listText, type Result } from './command.ts';

export interface Step {
  name: string;
  ok: boolean;
  /** Nothing failed, and the operator should know. */
  warning?: true;
  /** The result of the step, or the reason of its failure. May be empty. */
  detail: string;
}

export class Checkup {
  readonly steps: Step[] = [];

  /** Run a step and record its result. Returns undefined if the step failed. */
  async step<T>(
    name: string,
    work: () => Promise<T> | T,
    detail: (result: T) => string = () => '',
  ): Promise<T | undefined> {
    try {
      const result = await work();
      this.steps.push({ name, ok: true, detail: detail(result) });
      return result;
    } catch (error) {
      this.steps.push({ name, ok: false, detail: reasonOf(error) });
      return undefined;
    }
  }

  /** Record what the operator should know. */
  warn(name: string, detail: string): void {
    this.steps.push({ name, ok: true, warning: true, detail });
  }

  get ok(): boolean {
    return this.steps.every(({ ok }) => ok);
  }
}

/** The list as a command's output, with a last line that says how the checks ended. */
export function resultOf({ ok, steps }: Checkup, good: string, bad: string): Result {
  const failure = steps.find((step) => !step.ok);
  const error = failure && { code: 'check_failed', message: `${failure.name}: ${failure.detail}` };
  return {
    json: { ok, steps, ...(error !== undefined && { error }) },
    text: `${listText(steps, toLine)}\n${ok ? good : bad}`,
    failed: !ok,
  };
}

function toLine({ name, ok, warning, detail }: Step): string {
  const state = ok ? 'ok    ' : 'FAILED';
  return `${warning ? 'NOTE  ' : state}  ${name}${detail === '' ? '' : `: ${detail}`}`;
}

// The message of fetch is always "fetch failed"; the reason is in the cause.
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error || (error as NodeJS.ErrnoException).code !== undefined
    ? failureReason(error)
    : message;
}
