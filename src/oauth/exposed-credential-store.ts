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

/**
 * For credentials that were found in public. Each call revokes one and tells its owner, on the site and by mail. False,
 * and nobody is told, if it was revoked before.
 */
export interface ExposedCredentialWrites {
  revokeExposedPersonalToken(token: PersonalToken, about: AboutExposure, at: Timestamp): Promise<boolean>;
  revokeExposedAccessToken(token: Exposed, about: AboutExposure, at: Timestamp): Promise<boolean>;
  revokeExposedFamily(family: Exposed, about: AboutExposure, at: Timestamp): Promise<boolean>;
  /** Tells the application's owner and the operators, once a day. The secret goes on working. */
  tellOfExposedSecret(client: Client, about: AboutExposure, at: Timestamp): Promise<boolean>;
}

export interface ExposedCredentials extends ExposedCredentialReads, ExposedCredentialWrites {}
