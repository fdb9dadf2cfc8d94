// The rules of credentials again, as simply as possible: the outcome of each step of a member, an application
// or a thief. Tests compare the real rules with these.

import { DAY, HOUR, MINUTE, SECOND, type Timestamp } from '../../src/lib/clock.ts';
import type { OAuthErrorCode } from '../../src/oauth/errors.ts';
import type { Scope } from '../../src/oauth/scope.ts';
import type { GrantDuration } from '../../src/oauth/store.ts';
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

interface ModelConsent {
  scopes: readonly Scope[];
  endsAt: Timestamp;
  isOnce: boolean;
  isPaused: boolean;
}

interface ModelCode extends Owned {
  hasChallenge: boolean;
  isOnce: boolean;
  endsAt: Timestamp;
  expiresAt: Timestamp;
  state: 'issued' | 'redeemed' | 'void';
}

interface ModelFamily extends Owned {
  /** It has no refresh token. */
  isOnce: boolean;
  generation: number;
  rotatedAt: Timestamp;
  refreshExpiresAt: Timestamp;
  endsAt: Timestamp;
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

const LENGTHS: Record<GrantDuration, number> = {
  until_removed: Infinity,
  '30_days': 30 * DAY,
  '1_day': 1 * DAY,
  once: 65 * MINUTE,
};

/** The answer of the token endpoint: the scopes of the tokens, or the error code. */
export type Expected = { scopes: readonly Scope[] } | OAuthErrorCode;

export class Model {
  now: Timestamp = NEW_YEAR;
  suspended = new Set<PersonName>();
  deactivated = new Set<ApplicationName>();
  consents = new Map<string, ModelConsent>();
  codes: ModelCode[] = [];
  families: ModelFamily[] = [];
  accessTokens: ModelAccessToken[] = [];

  approve(
    owned: Owned & { hasChallenge: boolean },
    ticked: readonly Scope[],
    duration: GrantDuration,
  ): Expected {
    const { person, application, scopes: asked, hasChallenge } = owned;
    const before = this.consentInForce(owned);
    const allowed = (scope: Scope) =>
      (before?.isOnce === false && before.scopes.includes(scope)) ||
      (asked.includes(scope) && ticked.includes(scope));
    const scopes = asked.filter(allowed);
    if (scopes.length === 0) return 'access_denied';
    const [isOnce, endsAt] = [duration === 'once', this.now + LENGTHS[duration]];
    if (before !== undefined) this.leave(owned, before.scopes.filter(allowed));
    this.consents.set(keyOf(owned), {
      scopes: (['profile:read', 'posts:read'] as const).filter(allowed),
      endsAt,
      isOnce,
      isPaused: false,
    });
    for (const earlier of this.codesAndFamilies(owned)) earlier.endsAt = Math.min(earlier.endsAt, endsAt);
    const expiresAt = this.now + 5 * MINUTE;
    this.codes.push({
      person,
      application,
      scopes,
      hasChallenge,
      isOnce,
      endsAt,
      expiresAt,
      state: 'issued',
    });
    return { scopes };
  }

  /** The scopes that are left; false if nothing changes. */
  narrow(owned: Pick<Owned, 'person' | 'application'>, ticked: readonly Scope[]): readonly Scope[] | false {
    const consent = this.consentInForce(owned);
    const scopes = consent?.scopes.filter((scope) => ticked.includes(scope)) ?? [];
    if (consent === undefined || scopes.length === 0 || scopes.length === consent.scopes.length) return false;
    consent.scopes = scopes;
    this.leave(owned, scopes);
    return scopes;
  }

  /** False if nothing changes. */
  setPaused(owned: Pick<Owned, 'person' | 'application'>, isPaused: boolean): boolean {
    const consent = this.consentInForce(owned);
    if (consent === undefined || consent.isPaused === isPaused) return false;
    consent.isPaused = isPaused;
    return true;
  }

  redeem(code: ModelCode, { by, verifier, redirectUri }: Presentation): Expected {
    if (this.deactivated.has(by)) return 'invalid_client';
    if (by !== code.application) return 'invalid_grant';
    if (code.state === 'redeemed') {
      this.endAccessOf(code);
      return 'invalid_grant';
    }
    if (code.state === 'void' || this.suspended.has(code.person) || this.isPaused(code))
      return 'invalid_grant';
    if (code.expiresAt <= this.now || redirectUri === 'wrong') return 'invalid_grant';
    if (code.hasChallenge && verifier === 'wrong') return 'invalid_grant';
    if (code.hasChallenge && verifier === 'missing') return 'invalid_request';
    if (!code.hasChallenge && verifier !== 'missing') return 'invalid_request';
    code.state = 'redeemed';
    const { person, application, scopes, isOnce, endsAt } = code;
    const family: ModelFamily = {
      person,
      application,
      scopes,
      isOnce,
      generation: 0,
      rotatedAt: this.now,
      refreshExpiresAt: this.now + 30 * DAY,
      endsAt: Math.min(this.now + (isOnce ? 1 * HOUR : 365 * DAY), endsAt),
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
    if (family.isRevoked || Math.min(family.refreshExpiresAt, family.endsAt) <= this.now)
      return 'invalid_grant';
    if (this.suspended.has(family.person) || this.isPaused(family)) return 'invalid_grant';
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
    if (this.consentInForce(owned) === undefined) return false;
    this.consents.delete(keyOf(owned));
    this.endAccessOf(owned);
    return true;
  }

  /** The scopes of an access token; undefined if it is refused. */
  scopesOf({ family, scopes, expiresAt, isRevoked }: ModelAccessToken): readonly Scope[] | undefined {
    const isOver = isRevoked || family.isRevoked || Math.min(expiresAt, family.endsAt) <= this.now;
    if (isOver || !this.isUsable(family) || this.isPaused(family)) return undefined;
    return scopes.filter((scope) => family.scopes.includes(scope));
  }

  isPaused(owned: Pick<Owned, 'person' | 'application'>): boolean {
    return this.consents.get(keyOf(owned))?.isPaused ?? false;
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
      expiresAt: this.now + 1 * HOUR,
      isRevoked: false,
    });
    return { scopes };
  }

  private consentInForce(owned: Pick<Owned, 'person' | 'application'>): ModelConsent | undefined {
    const consent = this.consents.get(keyOf(owned));
    return consent === undefined || consent.endsAt <= this.now ? undefined : consent;
  }

  private codesAndFamilies(owned: Pick<Owned, 'person' | 'application'>): (ModelCode | ModelFamily)[] {
    return [...this.codes, ...this.families].filter((one) => keyOf(one) === keyOf(owned));
  }

  /** Take all other scopes from codes and sign-ins. Those without any scope end. */
  private leave(owned: Pick<Owned, 'person' | 'application'>, kept: readonly Scope[]): void {
    for (const one of this.codesAndFamilies(owned)) {
      one.scopes = one.scopes.filter((scope) => kept.includes(scope));
      if (one.scopes.length > 0) continue;
      if ('generation' in one) one.isRevoked = true;
      else if (one.state === 'issued') one.state = 'void';
    }
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
