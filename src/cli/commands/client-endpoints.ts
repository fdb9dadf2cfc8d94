// Where an application receives events: the options that register and change an application share.

import type { Doer } from '../../audit/doer.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { checkEndpoint, setEventEndpoint } from '../../oauth/event-endpoint.ts';
import { refuseInvalid } from './client-introduction.ts';

export const ENDPOINT_OPTIONS = {
  webhook: { kind: 'text', value: 'URL', summary: 'the https address that receives events as webhooks' },
  'backchannel-logout-uri': {
    kind: 'text',
    value: 'URI',
    summary: 'the https address that receives logout tokens',
  },
} as const;

interface EndpointValues {
  webhook: string | undefined;
  'backchannel-logout-uri': string | undefined;
}

/** Refuse addresses to which no events can be sent, before anything is changed. */
export function checkEndpoints({ webhook, 'backchannel-logout-uri': logout }: EndpointValues): void {
  try {
    if (webhook !== undefined) checkEndpoint(webhook);
    if (logout !== undefined) checkEndpoint(logout);
  } catch (error) {
    refuseInvalid(error);
  }
}

/** Set the addresses. Returns the secret of a new webhook. */
export async function setEndpoints(
  by: Doer,
  server: AuthorizationServer,
  clientId: string,
  { webhook, 'backchannel-logout-uri': logout }: EndpointValues,
): Promise<string | undefined> {
  if (logout !== undefined) await setEventEndpoint(by, server, clientId, 'logout', logout);
  if (webhook === undefined) return undefined;
  return (await setEventEndpoint(by, server, clientId, 'webhook', webhook)).secret;
}

export function webhookCredentials(secret: string | undefined): string[] {
  return secret === undefined ? [] : [`webhook_secret ${secret}`, "The webhook secret can't be shown again."];
}
