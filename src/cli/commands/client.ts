// Applications.

import { byCommandLine } from '../../audit/doer.ts';
import { HOUR } from '../../lib/clock.ts';
import { Refusal } from '../../lib/refusal.ts';
import { type ClientRegistration, registerClient, rotateClientSecret } from '../../oauth/client.ts';
import { activateClient, deactivateClient } from '../../oauth/client-status.ts';
import type { Client } from '../../oauth/client-store.ts';
import { SCOPES } from '../../oauth/scope.ts';
import { SIGNING_ALGORITHMS } from '../../oauth/signing-algorithm.ts';
import { type Command, command } from '../command.ts';
import { WrongUsage } from '../options.ts';
import { findOpenAccount, withPortico } from '../portico.ts';
import { clientDelete } from './client-delete.ts';
import { checkEndpoints, ENDPOINT_OPTIONS, setEndpoints, webhookCredentials } from './client-endpoints.ts';
import { INTRODUCTION_OPTIONS, introductionIn, refuseInvalid, unknownClient } from './client-introduction.ts';
import { clientListCommands } from './client-list.ts';
import { clientUpdate } from './client-update.ts';

// As on the page of an application.
const MOST_OVERLAP_HOURS = 720;

const clientId = {
  kind: 'text',
  value: 'ID',
  summary: 'the id of the application (app_…)',
  required: true,
} as const;

const create = command({
  name: 'client create',
  summary: 'register an application',
  details: 'Prints the client secret of a confidential application. The secret is shown only once.',
  options: {
    name: { kind: 'text', value: 'NAME', summary: 'the name that members see', required: true },
    type: {
      kind: 'text',
      value: 'TYPE',
      summary: 'confidential for a server app, public for a browser or native app',
      choices: ['confidential', 'public'],
      required: true,
    },
    'redirect-uri': { kind: 'list', value: 'URI', summary: 'a redirect URI', required: true },
    scope: {
      kind: 'list',
      value: 'SCOPE',
      summary: 'the scopes it may request, all if left out',
      choices: SCOPES,
      spaced: true,
    },
    owner: { kind: 'text', value: 'USERNAME', summary: 'the member who owns it' },
    'post-logout-redirect-uri': {
      kind: 'list',
      value: 'URI',
      summary: 'an address to return to after signing out',
    },
    'id-token-alg': {
      kind: 'text',
      value: 'ALG',
      summary: 'the signature algorithm of its id_tokens, RS256 if left out',
      choices: SIGNING_ALGORITHMS,
    },
    ...INTRODUCTION_OPTIONS,
    'allow-missing-state-and-nonce': {
      kind: 'flag',
      summary: 'accept requests without state and nonce (for old libraries)',
    },
    ...ENDPOINT_OPTIONS,
  },
  async run(values, context) {
    return withPortico(context, async (portico) => {
      const owner = values.owner === undefined ? undefined : await findOpenAccount(portico, values.owner);
      const registration: ClientRegistration = {
        name: values.name,
        kind: values.type,
        redirectUris: values['redirect-uri'],
        postLogoutRedirectUris: values['post-logout-redirect-uri'],
        acceptsMissingStateAndNonce: values['allow-missing-state-and-nonce'],
        ...(values['id-token-alg'] !== undefined && { idTokenAlg: values['id-token-alg'] }),
        ...(values.scope.length > 0 && { scopes: values.scope }),
        ...(owner !== undefined && { ownerId: owner.id }),
        introduction: introductionIn(values),
      };
      const by = byCommandLine(portico.clock);
      checkEndpoints(values);
      const { client, secret } = await registerClient(by, portico.oauth, registration).catch(refuseInvalid);
      const webhookSecret = await setEndpoints(by, portico.oauth, client.id, values);
      return {
        json: {
          client_id: client.id,
          ...(secret !== undefined && { client_secret: secret }),
          ...(webhookSecret !== undefined && { webhook_secret: webhookSecret }),
        },
        text: [
          `Registered ${client.name}.`,
          ...credentials(client.id, secret),
          ...webhookCredentials(webhookSecret),
        ].join('\n'),
      };
    });
  },
});

const rotateSecret = command({
  name: 'client rotate-secret',
  summary: 'replace the secret of an application; the old secret stops working at once',
  options: {
    'client-id': clientId,
    'keep-old': {
      kind: 'integer',
      value: 'HOURS',
      summary: 'accept the old secret for so many hours more, at most 720',
    },
  },
  async run({ 'client-id': id, 'keep-old': hours = 0 }, context) {
    if (hours < 0 || hours > MOST_OVERLAP_HOURS) {
      throw new WrongUsage(`--keep-old must be from 0 to ${MOST_OVERLAP_HOURS}, not ${hours}.`);
    }
    return withPortico(context, async ({ oauth, clock }) => {
      const secret = await rotateClientSecret(byCommandLine(clock), oauth, id, hours * HOUR);
      if (secret === undefined) {
        if ((await oauth.reads.findClient(id)) === undefined) throw unknownClient(id);
        throw new Refusal('client_is_public', 'A public application has no secret.');
      }
      return { json: { client_id: id, client_secret: secret }, text: credentials(id, secret).join('\n') };
    });
  },
});

const deactivate = statusCommand(
  { name: 'client deactivate', summary: 'disable an application and its tokens', status: 'deactivated' },
  deactivateClient,
);
const activate = statusCommand(
  { name: 'client activate', summary: 'enable a deactivated application', status: 'active' },
  activateClient,
);

interface StatusCommand {
  name: string;
  summary: string;
  /** The status that the command sets. */
  status: Client['status'];
}

function statusCommand({ name, summary, status }: StatusCommand, change: typeof activateClient): Command {
  return command({
    name,
    summary,
    options: { 'client-id': clientId },
    async run({ 'client-id': id }, context) {
      return withPortico(context, async ({ oauth, clock }) => {
        if (!(await change(byCommandLine(clock), oauth, id))) throw unknownClient(id);
        return { json: { client_id: id, status }, text: `The application ${id} is ${status}.` };
      });
    },
  });
}

export const clientCommands = [
  create,
  clientUpdate,
  rotateSecret,
  deactivate,
  activate,
  clientDelete,
  ...clientListCommands,
];

function credentials(id: string, secret: string | undefined): string[] {
  if (secret === undefined) return [`client_id      ${id}`];
  return [`client_id      ${id}`, `client_secret  ${secret}`, "The secret can't be shown again."];
}
