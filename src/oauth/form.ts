// The parameters of a protocol request: each at most once, an empty one as if absent (RFC 6749 §3.1, §3.2).

import { OAuthError } from './errors.ts';

/** Reads parameters by name. Parameters that nobody asks for are ignored, but none may be given twice. */
export class Form {
  private readonly values = new Map<string, string>();
  private readonly repeated = new Set<string>();
  private hasNul = false;

  constructor(pairs: Iterable<readonly [string, string]>) {
    for (const [name, value] of pairs) {
      if (this.values.has(name)) this.repeated.add(name);
      // No parameter has a use for it, and PostgreSQL can't keep it.
      const isUsable = !value.includes('\0');
      if (!isUsable) this.hasNul = true;
      this.values.set(name, isUsable ? value : '');
    }
  }

  /** The value, or undefined if the parameter is absent, empty, repeated or contains NUL. */
  get(name: string): string | undefined {
    return this.repeated.has(name) ? undefined : this.values.get(name) || undefined;
  }

  isRepeated(name: string): boolean {
    return this.repeated.has(name);
  }

  /** The value; `invalid_request` that names the parameter if it is missing. */
  required(name: string): string {
    const value = this.get(name);
    if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`);
    return value;
  }

  /**
   * `invalid_request` if any parameter is given twice or contains NUL. The name is repeated in the answer only if it
   * is harmless.
   */
  refuseMalformed(): void {
    if (this.hasNul) throw new OAuthError('invalid_request', 'A parameter contains the character NUL.');
    const [name] = this.repeated;
    if (name === undefined) return;
    const named = /^[a-z_]{1,40}$/.test(name) ? `The parameter ${name}` : 'A parameter';
    throw new OAuthError('invalid_request', `${named} is given more than once.`);
  }
}
