// The parameters of a protocol request (RFC 6749 §3.1, §3.2): none may be repeated, and an empty one counts
// as missing.

import { OAuthError } from './errors.ts';
import type { BrokenRule, RequestRule } from './request-rules.ts';

/** Report whether a value has the bytes that were sent. U+FFFD takes the place of bytes that are not UTF-8. */
export function isAsSent(value: string): boolean {
  return !value.includes('\uFFFD');
}

/** The parameters by their names. Unknown parameters are ignored, but they may not be repeated either. */
export class Form {
  private readonly values = new Map<string, string>();
  private readonly repeated = new Set<string>();
  private hasNul = false;

  constructor(pairs: Iterable<readonly [string, string]>) {
    for (const [name, value] of pairs) {
      if (this.values.has(name)) this.repeated.add(name);
      // No parameter needs NUL, and PostgreSQL can't store it.
      const isUsable = !value.includes('\0');
      if (!isUsable) this.hasNul = true;
      this.values.set(name, isUsable ? value : '');
    }
  }

  /** The value. Undefined if the parameter is missing, empty or repeated, or contains NUL. */
  get(name: string): string | undefined {
    return this.repeated.has(name) ? undefined : this.values.get(name) || undefined;
  }

  isRepeated(name: string): boolean {
    return this.repeated.has(name);
  }

  /** The value. Throws `invalid_request` with the parameter's name if it is missing. */
  required(name: string): string {
    const value = this.get(name);
    if (value === undefined) throw missing(name);
    return value;
  }

  /**
   * Throw `invalid_request` if any parameter is repeated or contains NUL. The error names the parameter only
   * if its name is harmless.
   */
  refuseMalformed(): void {
    if (this.hasNul) {
      const broken: BrokenRule = { rule: 'parameter_malformed' };
      throw new OAuthError('invalid_request', 'A parameter contains the character NUL.', broken);
    }
    const [name] = this.repeated;
    if (name === undefined) return;
    const isHarmless = /^[a-z_]{1,40}$/.test(name);
    const subject = isHarmless ? `The parameter ${name}` : 'A parameter';
    throw new OAuthError('invalid_request', `${subject} is given more than once.`, {
      rule: 'parameter_repeated',
      ...(isHarmless && { parameter: name }),
    });
  }
}

const RULE_OF_MISSING: ReadonlyMap<string, RequestRule> = new Map([
  ['state', 'state_missing'],
  ['nonce', 'nonce_missing'],
]);

function missing(parameter: string): OAuthError {
  const rule = RULE_OF_MISSING.get(parameter) ?? 'parameter_missing';
  return new OAuthError('invalid_request', `The parameter ${parameter} is missing.`, { rule, parameter });
}
