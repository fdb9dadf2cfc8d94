// Changing what is registered about an application, its logo, and where it receives events.

import { byCommandLine } from '../../audit/doer.ts';
import { Refusal } from '../../lib/refusal.ts';
import { type ClientChange, changeClient } from '../../oauth/client-change.ts';
import { setClientOwner } from '../../oauth/client-transfer.ts';
import { removeEventEndpoint, rotateWebhookSecret } from '../../oauth/event-endpoint.ts';
import type { EndpointKind } from '../../oauth/event-store.ts';
import { SCOPES } from '../../oauth/scope.ts';
import { command } from '../command.ts';
import { type Values, WrongUsage } from '../options.ts';
import { findOpenAccount, withPortico } from '../portico.ts';
import { checkEndpoints, ENDPOINT_OPTIONS, setEndpoints, webhookCredentials } from './client-endpoints.ts';
import { INTRODUCTION_OPTIONS, introductionIn, refuseInvalid, unknownClient } from './client-introduction.ts';
import { LOGO_OPTION, readLogo, saveLogo } from './client-logo.ts';

export const clientUpdate = command({
  name: 'client update',
  summary: 'change what is registered about an application, and where it receives events',
  details:
    'Options that are left out change nothing. Redirect URIs and scopes replace all that were registered. Members stay connected. Prints the secret of a new webhook, which is shown only once. A webhook that gets another address keeps its secret. After a rotation, both secrets sign for 24 hours. Setting an address also turns an endpoint on again that the server turned off.',
  options: {
    'client-id': { kind: 'text', value: 'ID', summary: 'the id of the application (app_…)', required: true },
    name: { kind: 'text', value: 'NAME', summary: 'the name that members see' },
    'redirect-uri': { kind: 'list', value: 'URI', summary: 'a redirect URI' },
    'post-logout-redirect-uri': {
      kind: 'list',
      value: 'URI',
      summary: 'an address to return to after signing out',
    },
    scope: {
      kind: 'list',
      value: 'SCOPE',
      summary: 'the scopes it may request',
      choices: SCOPES,
      spaced: true,
    },
    owner: { kind: 'text', value: 'USERNAME', summary: 'the member who owns it from now on' },
    ...LOGO_OPTION,
    ...INTRODUCTION_OPTIONS,
    ...ENDPOINT_OPTIONS,
    'rotate-webhook-secret': { kind: 'flag', summary: 'replace the secret that signs webhooks' },
    'remove-webhook': { kind: 'flag', summary: 'stop sending webhooks' },
    'remove-backchannel-logout-uri': { kind: 'flag', summary: 'stop sending logout tokens' },
  },
  async run({ 'client-id': id, ...values }, context) {
    const wanted = {
      webhook: values['remove-webhook'],
      logout: values['remove-backchannel-logout-uri'],
    };
    if (wanted.webhook && (values.webhook !== undefined || values['rotate-webhook-secret'])) {
      throw new WrongUsage("--remove-webhook can't be used with --webhook or --rotate-webhook-secret.");
    }
    if (wanted.logout && values['backchannel-logout-uri'] !== undefined) {
      throw new WrongUsage("--remove-backchannel-logout-uri can't be used with --backchannel-logout-uri.");
    }
    const { webhook, 'backchannel-logout-uri': logout, 'rotate-webhook-secret': isRotated } = values;
    const change = changeIn(values);
    const changesEndpoints =
      webhook !== undefined || logout !== undefined || isRotated || wanted.webhook || wanted.logout;
    const isNothing =
      Object.keys(change).length === 0 && values.owner === undefined && values.logo === undefined;
    if (!changesEndpoints && isNothing) {
      throw new WrongUsage('Nothing to change. Pass --home-page URL or --webhook URL, for example.');
    }
    return withPortico(context, async (portico) => {
      const { oauth, clock } = portico;
      const client = await oauth.reads.findClient(id);
      if (client === undefined) throw unknownClient(id);
      if (client.documentUrl !== undefined) throw describesItself(client.documentUrl);
      const by = byCommandLine(clock);
      checkEndpoints(values);
      const owner = values.owner === undefined ? undefined : await findOpenAccount(portico, values.owner);
      const logo = values.logo === undefined ? undefined : await readLogo(values.logo);
      if (Object.keys(change).length > 0) {
        if (!(await changeClient(by, oauth, id, change, { seen: client }).catch(refuseInvalid)))
          throw changedMeanwhile(id);
      }
      if (owner !== undefined) await setClientOwner(by, oauth, id, owner.id);
      // Last of these: with the logo, its use for this name and owner is approved.
      if (values.logo !== undefined) await saveLogo(by, oauth, id, logo);
      for (const kind of ['webhook', 'logout'] satisfies EndpointKind[]) {
        if (wanted[kind] && !(await removeEventEndpoint(by, oauth, id, kind))) throw noEndpoint(id);
      }
      let secret = await setEndpoints(by, oauth, id, values);
      if (values['rotate-webhook-secret'] && secret === undefined) {
        secret = await rotateWebhookSecret(by, oauth, id);
        if (secret === undefined) throw noEndpoint(id);
      }
      return {
        json: { client_id: id, ...(secret !== undefined && { webhook_secret: secret }) },
        text: [`Changed the application ${id}.`, ...webhookCredentials(secret)].join('\n'),
      };
    });
  },
});

interface Registration extends Values<typeof INTRODUCTION_OPTIONS> {
  name: string | undefined;
  'redirect-uri': readonly string[];
  'post-logout-redirect-uri': readonly string[];
  scope: readonly string[];
}

function changeIn(values: Registration): ClientChange {
  const { name, scope } = values;
  const { 'redirect-uri': redirectUris, 'post-logout-redirect-uri': postLogoutRedirectUris } = values;
  return {
    ...introductionIn(values),
    ...(name !== undefined && { name }),
    ...(redirectUris.length > 0 && { redirectUris }),
    ...(postLogoutRedirectUris.length > 0 && { postLogoutRedirectUris }),
    ...(scope.length > 0 && { scopes: scope }),
  };
}

function describesItself(documentUrl: string): Refusal {
  return new Refusal(
    'client_describes_itself',
    `The application is not registered: it is what ${documentUrl} says. Use client deactivate to stop it.`,
  );
}

function changedMeanwhile(id: string): Refusal {
  return new Refusal('client_changed', `The application ${id} was changed meanwhile. Run the command again.`);
}

function noEndpoint(id: string): Refusal {
  return new Refusal('endpoint_not_found', `The application ${id} has no such address.`);
}
