// Deactivating and activating an application: the question before it, and the act.

import { html } from 'hono/html';
import { byOperator } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import { markOf } from '../../../oauth/client-review.ts';
import { activateClient, deactivateClient } from '../../../oauth/client-status.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { countMembers } from '../../../oauth/member-count.ts';
import { notFoundPage } from '../../pages/failures.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { countOf } from '../../pages/moments.ts';
import { questionPage } from '../../pages/question.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { operatorMenu } from './page.ts';
import { applicationFacts, WAITING_APPLICATIONS_PATH } from './waiting-applications.ts';

const PATH = '/operator/applications';
type Change = 'activate' | 'deactivate';

/** The path of the question, and of its form. */
export function changePath({ id }: Client, change: Change): string {
  return `${PATH}/${encodeURIComponent(id)}/${change}`;
}

/** Ask before an application is deactivated or activated. */
export async function changeApplicationPage(site: SiteParts, c: PageContext): Promise<Response> {
  const client = await clientInPath(site, c);
  if (client === undefined) return notFoundPage(c);
  return toReview(c, client) ?? pageOfQuestion(site, c, client);
}

/** Deactivate or activate the application in the path. An operator activates nothing but what the question showed. */
export async function changeApplication(
  site: SiteParts,
  c: PageContext,
  operator: User,
  form: PostedForm,
): Promise<Response> {
  const client = await clientInPath(site, c);
  if (client === undefined) return notFoundPage(c);
  const review = toReview(c, client);
  if (review !== undefined) return review;
  const change = changeOf(c);
  if (change === 'activate' && form.text('mark') !== markOf(client)) {
    return pageOfQuestion(site, c, client, true);
  }
  const by = byOperator(operator, site.clock);
  if (change === 'deactivate') await deactivateClient(by, site.oauth, client.id);
  else if (!(await activateClient(by, site.oauth, client.id, client))) {
    return pageOfQuestion(site, c, (await clientInPath(site, c)) ?? client, true);
  }
  return c.redirect(`${PATH}?done=${change}`, 303);
}

// What waits for approval is approved or refused, and its owner is told.
function toReview(c: PageContext, { deactivation }: Client): Response | undefined {
  const isReviewed = deactivation === 'approval' && changeOf(c) === 'activate';
  return isReviewed ? c.redirect(WAITING_APPLICATIONS_PATH, 303) : undefined;
}

async function pageOfQuestion(
  site: SiteParts,
  c: PageContext,
  client: Client,
  isChanged = false,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const change = changeOf(c);
  const users = countOf(await countMembers(site.oauth, client));
  return questionPage(c, {
    title: t.questions[change](client.name),
    status: isChanged ? 409 : 200,
    menu: operatorMenu(c, PATH),
    problem: isChanged ? t.changed : undefined,
    explanation: html`
      <p>${t.users(users)}</p>
      ${change === 'activate' && (await applicationFacts(site, c, client))}
      <p>${t.consequences[change]}</p>`,
    fields: html`<input type="hidden" name="mark" value="${markOf(client)}">`,
    action: changePath(client, change),
    button: t.buttons[change],
    isDangerous: change === 'deactivate',
    back: { path: PATH, text: t.back },
  });
}

async function clientInPath(site: SiteParts, c: PageContext): Promise<Client | undefined> {
  return site.oauth.reads.findClient(c.req.param('id') ?? '');
}

function changeOf(c: PageContext): Change {
  return c.req.param('change') === 'activate' ? 'activate' : 'deactivate';
}

const words = bilingual(
  {
    changed: 'Its owner has changed the application. Nothing was activated. This is what it is now.',
    buttons: { activate: 'Activate application', deactivate: 'Deactivate application' },
    questions: {
      activate: (name: string) => `Activate ${name}?`,
      deactivate: (name: string) => `Deactivate ${name}?`,
    },
    users: (count: string) => `Members who have connected it: ${count}.`,
    consequences: {
      activate:
        'Members can sign in with it again. Members who connected it are still connected, unless it was deactivated for 30 days.',
      deactivate:
        'The application can’t sign members in, and its tokens stop working at once. It keeps the data that it already copied. You can activate it again at any time. After 30 days, members who connected it are disconnected.',
    },
    back: 'Cancel',
  },
  {
    changed: '所有者刚刚修改了此应用，因此没有启用。以下是现在的内容。',
    buttons: { activate: '启用应用', deactivate: '停用应用' },
    questions: {
      activate: (name: string) => `启用 ${name}？`,
      deactivate: (name: string) => `停用 ${name}？`,
    },
    users: (count: string) => `已连接此应用的成员数：${count}。`,
    consequences: {
      activate: '成员可以再次用它登录，此前的授权也恢复有效（停用满 30 天的除外）。',
      deactivate:
        '成员无法再用它登录，它的所有令牌立即失效。它已复制的数据仍保留在该应用中。您可以随时重新启用。停用满 30 天后，成员的授权会被移除。',
    },
    back: '取消',
  },
);
