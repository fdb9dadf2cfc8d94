// The port for credentials that somebody found in public.

import type { AboutExposure } from '../audit/credential-notice.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { Client } from './client-store.ts';
import type { PersonalToken } from './personal-token-store.ts';

/** A sign-in, or an access token of it, without its secret. */
interface Exposed {
  key: string;
  clientId: string;
  userId: number;
}

export interface ExposedCredentialReads {
  /** The application whose present secret has this digest. */
  findClientBySecret(digest: string): Promise<Client | undefined>;
}

/** The revocation of one credential of a report. */
export interface ExposureAct {
  about: AboutExposure;
  at: Timestamp;
  /** Whether the owner was already told of another credential of the report. */
  isTold: boolean;
}

/**
 * For credentials that were found in public. Each call revokes one and tells its owner, on the site and by mail: a
 * member gets at most five such mails an hour. False, and nobody is told, if it was revoked before.
 */
export interface ExposedCredentialWrites {
  revokeExposedPersonalToken(token: PersonalToken, act: ExposureAct): Promise<boolean>;
  revokeExposedAccessToken(token: Exposed, act: ExposureAct): Promise<boolean>;
  revokeExposedFamily(family: Exposed, act: ExposureAct): Promise<boolean>;
  /**
   * Tells the application's owner and the operators, once a day. The secret goes on working. The operators get at most
   * five such mails an hour for all applications.
   */
  tellOfExposedSecret(client: Client, act: ExposureAct): Promise<boolean>;
}

export interface ExposedCredentials extends ExposedCredentialReads, ExposedCredentialWrites {}
