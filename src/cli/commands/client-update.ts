// Changing what an application tells members about itself, and where it receives events.

import { byCommandLine } from '../../audit/doer.ts';
import { Refusal } from '../../lib/refusal.ts';
import { changeClient } from '../../oauth/client-change.ts';
import { removeEventEndpoint, rotateWebhookSecret } from '../../oauth/event-endpoint.ts';
import type { EndpointKind } from '../../oauth/event-store.ts';
import { command } from '../command.ts';
import { WrongUsage } from '../options.ts';
import { withPortico } from '../portico.ts';
import { checkEndpoints, ENDPOINT_OPTIONS, setEndpoints, webhookCredentials } from './client-endpoints.ts';
import { INTRODUCTION_OPTIONS, introductionIn, refuseInvalid, unknownClient } from './client-introduction.ts';

export const clientUpdate = command({
  name: 'client update',
  summary: 'change what an application tells members, and where it receives events',
  details:
    'Options that are left out change nothing. Prints the secret of a new webhook, which is shown only once. A webhook that gets another address keeps its secret. After a rotation, both secrets sign for 24 hours. Setting an address also turns an endpoint on again that the server turned off.',
  options: {
    'client-id': { kind: 'text', value: 'ID', summary: 'the id of the application (app_…)', required: true },
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
    const introduction = introductionIn(values);
    const changesEndpoints =
      webhook !== undefined || logout !== undefined || isRotated || wanted.webhook || wanted.logout;
    if (!changesEndpoints && Object.keys(introduction).length === 0) {
      throw new WrongUsage('Nothing to change. Pass --home-page URL or --webhook URL, for example.');
    }
    return withPortico(context, async ({ oauth, clock }) => {
      if ((await oauth.reads.findClient(id)) === undefined) throw unknownClient(id);
      const by = byCommandLine(clock);
      checkEndpoints(values);
      if (Object.keys(introduction).length > 0) {
        await changeClient(by, oauth, id, introduction).catch(refuseInvalid);
      }
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

function noEndpoint(id: string): Refusal {
  return new Refusal('endpoint_not_found', `The application ${id} has no such address.`);
}
