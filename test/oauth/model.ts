// The rules of credentials again, as simply as possible: the outcome of each step of a member, an application
// or a thief. Tests compare the real rules with these.

import { DAY, HOUR, MINUTE, SECOND, type Timestamp } from '../../src/lib/clock.ts';
import type { OAuthErrorCode } from '../../src/oauth/errors.ts';
import type { Scope } from '../../src/oauth/scope.ts';
import { NEW_YEAR } from './provider.ts';

export const PEOPLE = ['alice', 'bob'] as const;
export const APPLICATIONS = ['notebook', 'pocket'] as const;
export type PersonName = (typeof PEOPLE)[number];
export type ApplicationName = (typeof APPLICATIONS)[number];

interface Owned {
  person: PersonName;
  application: ApplicationName;
  scopes: readonly Scope[];
}

interface ModelCode extends Owned {
  hasChallenge: boolean;
  expiresAt: Timestamp;
  state: 'issued' | 'redeemed' | 'void';
}

interface ModelFamily extends Owned {
  generation: number;
  rotatedAt: Timestamp;
  refreshExpiresAt: Timestamp;
  expiresAt: Timestamp;
  isRevoked: boolean;
}

interface ModelAccessToken {
  family: ModelFamily;
  scopes: readonly Scope[];
  expiresAt: Timestamp;
  isRevoked: boolean;
}

export interface Presentation {
  by: ApplicationName;
  verifier: 'right' | 'wrong' | 'missing';
  redirectUri: 'right' | 'wrong';
}

/** The answer of the token endpoint: the scopes of the tokens, or the error code. */
export type Expected = { scopes: readonly Scope[] } | OAuthErrorCode;

export class Model {
  now: Timestamp = NEW_YEAR;
  suspended = new Set<PersonName>();
  deactivated = new Set<ApplicationName>();
  consents = new Map<string, readonly Scope[]>();
  codes: ModelCode[] = [];
  families: ModelFamily[] = [];
  accessTokens: ModelAccessToken[] = [];

  approve(owned: Owned & { hasChallenge: boolean }, ticked: readonly Scope[]): Expected {
    const { person, application, scopes: asked, hasChallenge } = owned;
    const scopesBefore = this.consents.get(keyOf(owned)) ?? [];
    const allowed = (scope: Scope) =>
      scopesBefore.includes(scope) || (asked.includes(scope) && ticked.includes(scope));
    const scopes = asked.filter(allowed);
    if (scopes.length === 0) return 'access_denied';
    this.consents.set(keyOf(owned), (['profile:read', 'posts:read'] as const).filter(allowed));
    this.codes.push({
      person,
      application,
      scopes,
      hasChallenge,
      expiresAt: this.now + 5 * MINUTE,
      state: 'issued',
    });
    return { scopes };
  }

  redeem(code: ModelCode, { by, verifier, redirectUri }: Presentation): Expected {
    if (this.deactivated.has(by)) return 'invalid_client';
    if (by !== code.application) return 'invalid_grant';
    if (code.state === 'redeemed') {
      this.endAccessOf(code);
      return 'invalid_grant';
    }
    if (code.state === 'void' || this.suspended.has(code.person)) return 'invalid_grant';
    if (code.expiresAt <= this.now || redirectUri === 'wrong') return 'invalid_grant';
    if (code.hasChallenge && verifier === 'wrong') return 'invalid_grant';
    if (code.hasChallenge && verifier === 'missing') return 'invalid_request';
    if (!code.hasChallenge && verifier !== 'missing') return 'invalid_request';
    code.state = 'redeemed';
    const { person, application, scopes } = code;
    const family: ModelFamily = {
      person,
      application,
      scopes,
      generation: 0,
      rotatedAt: this.now,
      refreshExpiresAt: this.now + 30 * DAY,
      expiresAt: this.now + 365 * DAY,
      isRevoked: false,
    };
    this.families.push(family);
    return this.issue(family, scopes);
  }

  refresh(family: ModelFamily, generation: number, by: ApplicationName, asked?: readonly Scope[]): Expected {
    if (this.deactivated.has(by)) return 'invalid_client';
    if (by !== family.application) return 'invalid_grant';
    if (generation !== family.generation) {
      const lostRace =
        by === 'notebook' &&
        generation === family.generation - 1 &&
        this.now - family.rotatedAt <= 10 * SECOND;
      if (!lostRace) family.isRevoked = true;
      return 'invalid_grant';
    }
    if (family.isRevoked || Math.min(family.refreshExpiresAt, family.expiresAt) <= this.now)
      return 'invalid_grant';
    if (this.suspended.has(family.person)) return 'invalid_grant';
    const scopes = asked ?? family.scopes;
    if (scopes.some((scope) => !family.scopes.includes(scope))) return 'invalid_scope';
    family.generation += 1;
    family.rotatedAt = this.now;
    family.refreshExpiresAt = this.now + 30 * DAY;
    return this.issue(family, scopes);
  }

  revokeAccess(token: ModelAccessToken, by: ApplicationName): void {
    if (by === token.family.application) token.isRevoked = true;
  }

  revokeRefresh(family: ModelFamily, by: ApplicationName): void {
    if (by === family.application) family.isRevoked = true;
  }

  /** False if there was no consent. */
  withdraw(owned: Pick<Owned, 'person' | 'application'>): boolean {
    if (!this.consents.delete(keyOf(owned))) return false;
    this.endAccessOf(owned);
    return true;
  }

  isHonoured({ family, expiresAt, isRevoked }: ModelAccessToken): boolean {
    return !isRevoked && !family.isRevoked && expiresAt > this.now && this.isUsable(family);
  }

  /**
   * Whether the account and the application are both active. Otherwise their tokens are invalid for the time
   * being.
   */
  isUsable({ person, application }: Pick<Owned, 'person' | 'application'>): boolean {
    return !this.suspended.has(person) && !this.deactivated.has(application);
  }

  private issue(family: ModelFamily, scopes: readonly Scope[]): Expected {
    this.accessTokens.push({
      family,
      scopes,
      expiresAt: Math.min(this.now + 1 * HOUR, family.expiresAt),
      isRevoked: false,
    });
    return { scopes };
  }

  private endAccessOf(owned: Pick<Owned, 'person' | 'application'>): void {
    for (const code of this.codes) {
      if (keyOf(code) === keyOf(owned) && code.state === 'issued') code.state = 'void';
    }
    for (const family of this.families) if (keyOf(family) === keyOf(owned)) family.isRevoked = true;
  }
}

function keyOf({ person, application }: Pick<Owned, 'person' | 'application'>): string {
  return `${person} ${application}`;
}
