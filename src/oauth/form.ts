// The parameters of a protocol request (RFC 6749 §3.1, §3.2): none may be repeated, and an empty one counts
// as missing.

import { OAuthError } from './errors.ts';

/** The parameters by their names. Unknown parameters are ignored, but they may not be repeated either. */
export class Form {
  private readonly values = new Map<string, string>();
  private readonly repeated = new Set<string>();
  private hasUnusable = false;

  constructor(pairs: Iterable<readonly [string, string]>) {
    for (const [name, value] of pairs) {
      if (this.values.has(name)) this.repeated.add(name);
      // No parameter needs NUL, and PostgreSQL can't store it. U+FFFD stands for bytes that are not UTF-8,
      // which could not be sent back unchanged.
      const isUsable = !/[\0\uFFFD]/.test(value);
      if (!isUsable) this.hasUnusable = true;
      this.values.set(name, isUsable ? value : '');
    }
  }

  /** The value. Undefined if the parameter is missing, empty or repeated, or contains NUL or U+FFFD. */
  get(name: string): string | undefined {
    return this.repeated.has(name) ? undefined : this.values.get(name) || undefined;
  }

  isRepeated(name: string): boolean {
    return this.repeated.has(name);
  }

  /** The value. Throws `invalid_request` with the parameter's name if it is missing. */
  required(name: string): string {
    const value = this.get(name);
    if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`);
    return value;
  }

  /**
   * Throw `invalid_request` if any parameter is repeated or contains NUL or U+FFFD. The error names the
   * parameter only if its name is harmless.
   */
  refuseMalformed(): void {
    if (this.hasUnusable) {
      throw new OAuthError('invalid_request', 'A parameter contains NUL, or is not valid UTF-8.');
    }
    const [name] = this.repeated;
    if (name === undefined) return;
    const subject = /^[a-z_]{1,40}$/.test(name) ? `The parameter ${name}` : 'A parameter';
    throw new OAuthError('invalid_request', `${subject} is given more than once.`);
  }
}
