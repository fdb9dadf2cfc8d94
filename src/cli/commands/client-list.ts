// Finding applications.

import { Refusal } from '../../lib/refusal.ts';
import { matchingClients } from '../../oauth/client-list.ts';
import type { OwnedClient } from '../../oauth/client-store.ts';
import type { EndpointState } from '../../oauth/event-store.ts';
import { command } from '../command.ts';
import { jsonRecord, LIST_OPTIONS, type Listing, printList } from '../listing.ts';
import { findAccount, withPortico } from '../portico.ts';
import { sheet } from '../sheet.ts';

const FIELDS: Listing<OwnedClient>['fields'] = {
  client_id: ({ client }) => client.id,
  name: ({ client }) => client.name,
  type: ({ client }) => client.kind,
  status: ({ client }) => client.status,
  scopes: ({ client }) => client.scopes,
  redirect_uris: ({ client }) => client.redirectUris,
  post_logout_redirect_uris: ({ client }) => client.postLogoutRedirectUris,
  id_token_alg: ({ client }) => client.idTokenAlg,
  accepts_missing_state_and_nonce: ({ client }) => client.acceptsMissingStateAndNonce,
  required_scopes: ({ client }) => client.requiredScopes,
  scope_reasons: ({ client }) => client.scopeReasons,
  home_page: ({ client }) => client.homePage,
  description: ({ client }) => client.description,
  owner_id: ({ client }) => client.ownerId,
  owner: ({ ownerName }) => ownerName,
  document_url: ({ client }) => client.documentUrl,
  claimed_name: ({ client }) => client.claimedName,
  deactivation: ({ client }) => client.deactivation,
  review_note: ({ client }) => client.reviewNote,
  logo: ({ client }) => client.logo,
  logo_approved: ({ client }) => client.isLogoApproved,
  delete_at: ({ client }) => client.deleteAt && new Date(client.deleteAt).toISOString(),
  created_at: ({ client }) => new Date(client.createdAt).toISOString(),
};

const list = command({
  name: 'client list',
  summary: 'list the registered applications, newest first',
  options: {
    status: {
      kind: 'text',
      value: 'STATUS',
      summary: 'only applications with this status',
      choices: ['active', 'deactivated'],
    },
    type: {
      kind: 'text',
      value: 'TYPE',
      summary: 'only applications of this type',
      choices: ['confidential', 'public'],
    },
    owner: { kind: 'text', value: 'USERNAME', summary: 'only applications of this member' },
    search: { kind: 'text', value: 'TEXT', summary: 'only with this text in the name, id or a redirect URI' },
    ...LIST_OPTIONS,
  },
  async run({ status, type, owner, search, csv }, context) {
    return withPortico(context, async (portico) => {
      const ownerId = owner === undefined ? undefined : (await findAccount(portico, owner)).id;
      const records = matchingClients(portico.oauth, { status, kind: type, ownerId, search });
      const listing = {
        name: 'clients',
        records,
        fields: FIELDS,
        toLine,
        empty: 'There are no such applications.',
      };
      return printList(context, listing, { csv });
    });
  },
});

const show = command({
  name: 'client show',
  summary: 'show an application',
  options: {
    'client-id': { kind: 'text', value: 'ID', summary: 'the id of the application (app_…)', required: true },
  },
  async run({ 'client-id': id }, context) {
    return withPortico(context, async ({ oauth, identity }) => {
      const client = await oauth.reads.findClient(id);
      if (client === undefined) throw new Refusal('client_not_found', `There is no application ${id}.`);
      const owner = client.ownerId === undefined ? undefined : await identity.reads.findUser(client.ownerId);
      const endpoints = await oauth.reads.endpointStates(id);
      const json = {
        ...jsonRecord(FIELDS, { client, ownerName: owner?.username }),
        ...Object.assign({}, ...endpoints.map(endpointFields)),
      };
      return { json, text: sheet(json) };
    });
  },
});

const ENDPOINT_NAMES = { webhook: 'webhook', logout: 'backchannel_logout' };

function endpointFields({ kind, url, waiting, givenUp, problem, disabledAt }: EndpointState) {
  const name = ENDPOINT_NAMES[kind];
  return {
    [`${name}_uri`]: url,
    [`${name}_status`]: disabledAt === undefined ? 'active' : 'disabled',
    [`${name}_waiting`]: waiting,
    [`${name}_given_up`]: givenUp,
    [`${name}_last_error`]: problem ?? null,
  };
}

export const clientListCommands = [list, show];

function toLine({ client: { id, kind, status, name } }: OwnedClient): string {
  return `${id}  ${kind.padEnd('confidential'.length)}  ${status.padEnd('deactivated'.length)}  ${name}`;
}
