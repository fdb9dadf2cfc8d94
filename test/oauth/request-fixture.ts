// A provider with several kinds of applications, for the tests that read authorization requests.

import { byServer } from '../../src/audit/doer.ts';
import { type ReadRequest, readAuthorizationRequest } from '../../src/oauth/authorization-request.ts';
import { deactivateClient } from '../../src/oauth/client-status.ts';
import type { Client } from '../../src/oauth/client-store.ts';
import { Form } from '../../src/oauth/form.ts';
import { formOf, openProvider, type Parameters, type Provider, requestParameters } from './provider.ts';

export let provider: Provider;
/** Registered for one scope only. */
export let narrow: Client;
/** May leave out state and nonce. */
export let old: Client;
export let deactivated: Client;

/** Open the provider, with its applications. */
export async function openFixture(): Promise<void> {
  provider = await openProvider();
  narrow = await provider.register({ name: 'Narrow', scopes: ['profile:read'] });
  old = await provider.register({ name: 'Old', acceptsMissingStateAndNonce: true });
  deactivated = await provider.register({ name: 'Gone' });
  await deactivateClient(byServer(provider.server.clock), provider.server, deactivated.id);
}

export function read(client: Client, changes: Parameters = {}): Promise<ReadRequest> {
  return readAuthorizationRequest(provider.server, formOf({ ...requestParameters(client), ...changes }));
}

/** Read a good request with more pairs. */
export function readWithMore(client: Client, ...more: [string, string][]): Promise<ReadRequest> {
  return readAuthorizationRequest(
    provider.server,
    new Form([...Object.entries(requestParameters(client)), ...more]),
  );
}
