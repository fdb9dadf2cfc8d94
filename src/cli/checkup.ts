// A list of checks and their results.

export interface Step {
  name: string;
  ok: boolean;
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

  get ok(): boolean {
    return this.steps.every(({ ok }) => ok);
  }
}

// The message of fetch is always "fetch failed"; the reason is in the cause.
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { message?: string; code?: string } };
  const reason = cause?.message || cause?.code;
  return reason === undefined ? message : `${message} (${reason})`;
}
