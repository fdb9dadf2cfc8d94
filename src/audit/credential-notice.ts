// What notifications and mails tell members about their credentials and applications.

import type { Timestamp } from '../lib/clock.ts';

/** Why a member is told of an API token. `unused`: it was revoked, because it was not used for a year. */
export type TokenNotice =
  | 'ends_in_7_days'
  | 'ends_in_1_day'
  | 'ended'
  | 'unused_30_days'
  | 'unused_7_days'
  | 'unused';

/** What stands for the characters of a credential that was found in a published text. */
export const MASK = '••••••••';

/**
 * Revokes the live credentials of this site in a text that becomes public, tells their owners, and returns the text
 * with their characters masked.
 */
export type MaskCredentials = (text: string, source: ExposureSource) => Promise<string>;

/** An API token that ends. */
export interface AboutToken {
  notice: TokenNotice;
  name: string;
  endsAt: Timestamp;
}

export type CredentialKind = 'personal' | 'access' | 'refresh' | 'client_secret';

/** Where a credential was found: reported on the site, by GitHub, or in what a member wrote here. */
export type ExposureSource = 'report' | 'github' | 'post' | 'comment' | 'bio';

/** A credential that was found in public. All but the secret of an application were revoked. */
export interface AboutExposure {
  kind: CredentialKind;
  source: ExposureSource;
  /** The name of the API token, or of the application. */
  name: string;
  /** The page that GitHub found it on. */
  url?: string | undefined;
  /** How many other credentials of the member the same report has. */
  others?: number;
}

/** What operators decided about a member's own application. */
export interface AboutReview {
  /** `logo`: only about the picture. */
  of: 'application' | 'logo';
  isApproved: boolean;
  clientId: string;
  name: string;
}

export interface AboutCredential {
  token?: AboutToken;
  exposed?: AboutExposure;
  review?: AboutReview;
}
