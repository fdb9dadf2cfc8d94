// A list of steps, each tried and written down with why it failed.

export interface Step {
  name: string;
  ok: boolean;
  /** What was found, or why it failed; empty if there is nothing to tell. */
  detail: string;
}

export class Checkup {
  readonly steps: Step[] = [];

  /** Tries a step. What it throws is written down, and the answer is then undefined. */
  async step<T>(name: string, work: () => Promise<T> | T, detail: (found: T) => string = () => '') {
    try {
      const found = await work();
      this.steps.push({ name, ok: true, detail: detail(found) });
      return found;
    } catch (error) {
      this.steps.push({ name, ok: false, detail: explain(error) });
      return undefined;
    }
  }

  get ok(): boolean {
    return this.steps.every(({ ok }) => ok);
  }
}

// fetch says only "fetch failed"; what failed is in the cause.
function explain(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { message?: string; code?: string } };
  const reason = cause?.message || cause?.code;
  return reason === undefined ? message : `${message} (${reason})`;
}
