// The trials of the flow tester: sign-ins to a member's own application, whose callback is a page of this site. It is
// valid only for requests that the tester gave to this browser, and only while the member owns the application.

import { MINUTE, type Timestamp } from '../../lib/clock.ts';
import { isTimeOrderedKey, KEY_LENGTH, smallestKey, timeOrderedKey } from '../../lib/secrets.ts';
import type { Client } from '../../oauth/client-store.ts';
import { trialPath } from '../routes.ts';
import { formToken, isFormToken, type PageContext } from './visitor.ts';

/** How long a trial may take until its code is exchanged. */
export const TRIAL_LIFETIME = 30 * MINUTE;

/** What a request of the tester needs. Nothing of it is stored: each value follows from the state and the browser. */
export interface Trial {
  redirectUri: string;
  /** A key, which says when the trial began, and a seal, which only this browser and member have. */
  state: string;
  codeVerifier: string;
  nonce: string;
}

/** Begin a trial of the member's application. */
export function newTrial(c: PageContext, client: Client, now: Timestamp): Trial {
  const key = timeOrderedKey(now);
  return trialOf(c, client, key + formToken(c, sealed('state', client, key)));
}

/** Find the trial of a state. Undefined unless it began here, for the application of this very member, not long ago. */
export function findTrial(
  c: PageContext,
  client: Client,
  state: string | undefined,
  now: Timestamp,
): Trial | undefined {
  const { visit } = c.get('visitor');
  if (state === undefined || visit === undefined || visit.user.id !== client.ownerId) return undefined;
  const key = state.slice(0, KEY_LENGTH);
  const isRecent = key >= smallestKey(now - TRIAL_LIFETIME) && key < smallestKey(now + 1);
  if (!isTimeOrderedKey(key) || !isRecent) return undefined;
  const isOurs = isFormToken(c, state.slice(KEY_LENGTH), sealed('state', client, key));
  return isOurs ? trialOf(c, client, state) : undefined;
}

/** The address that answers to a trial of the application return to. */
export function trialCallback(c: PageContext, client: Pick<Client, 'id'>): string {
  return `${c.get('site').baseUrl}${trialPath(client.id)}/return`;
}

// 43 characters in base64url, so a form token can be a verifier (RFC 7636 §4.1).
function trialOf(c: PageContext, client: Client, state: string): Trial {
  return {
    redirectUri: trialCallback(c, client),
    state,
    codeVerifier: formToken(c, sealed('verifier', client, state)),
    nonce: formToken(c, sealed('nonce', client, state)),
  };
}

function sealed(what: string, client: Client, text: string): string {
  return `trial ${what}\n${client.id}\n${text}`;
}
