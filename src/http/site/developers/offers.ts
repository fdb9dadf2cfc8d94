// Applications that other members offer: accepting and declining them.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import { markOf } from '../../../oauth/client-review.ts';
import type { OwnedClient } from '../../../oauth/client-store.ts';
import { acceptClient, declineClient } from '../../../oauth/client-transfer.ts';
import { MOST_OWN_CLIENTS } from '../../../oauth/own-client.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import type { SiteParts } from '../site-parts.ts';
import { appPathOf, CONSOLE_PATH } from './frame.ts';

export const OFFERS_PATH = `${CONSOLE_PATH}/offers`;

/** Show an application that is offered, with two buttons. */
export function offerCard(c: PageContext, { client, ownerName }: OwnedClient): Html {
  const t = words[c.get('visitor').language];
  return html`
    <section class="card fresh">
      <h2>${client.name}</h2>
      <p>${ownerName === undefined ? t.offerByOperators : t.offer(ownerName)}</p>
      <form method="post" action="${OFFERS_PATH}">
        ${formTokenField(c)}
        <input type="hidden" name="client_id" value="${client.id}">
        <input type="hidden" name="mark" value="${markOf(client)}">
        <div class="actions">
          <button name="answer" value="decline">${t.decline}</button>
          <button class="primary" name="answer" value="accept">${t.accept}</button>
        </div>
      </form>
    </section>`;
}

/** Tell why an offer could not be accepted. Undefined if none was answered. */
export function offerProblem(c: PageContext): string | undefined {
  const t = words[c.get('visitor').language];
  if (c.req.query('offer-changed') !== undefined) return t.changed;
  return c.req.query('not-accepted') === undefined ? undefined : t.problem;
}

/** Accept or decline an offer. */
export async function answerOffer(
  site: SiteParts,
  c: PageContext,
  user: User,
  form: PostedForm,
): Promise<Response> {
  const by = byMember(user, site.clock, site.clientAddress(c));
  const id = form.text('client_id');
  if (form.text('answer') !== 'accept') {
    await declineClient(by, site.oauth, id);
    return c.redirect(CONSOLE_PATH, 303);
  }
  const outcome = await acceptClient(by, site.oauth, { clientId: id, mark: form.text('mark') });
  if (outcome === 'accepted') return c.redirect(appPathOf({ id }), 303);
  return c.redirect(`${CONSOLE_PATH}?${outcome === 'changed' ? 'offer-changed' : 'not-accepted'}`, 303);
}

const words = bilingual(
  {
    offer: (owner: string) =>
      `${owner} wants to give you this application. If you accept, you are responsible for it, and members see your name. Its earlier secret and its addresses for events are removed when you accept. Afterwards replace its secret, which ${owner} knows, without an overlap, and check its callback addresses.`,
    offerByOperators:
      'The operators want to give you this application. If you accept, you are responsible for it, and members see your name. Replace its secrets afterwards.',
    accept: 'Accept',
    decline: 'Decline',
    changed:
      'The application has changed since you opened the page, so it wasn’t transferred. Look at it again below.',
    problem: `The application isn’t offered to you any more, or you already have ${MOST_OWN_CLIENTS}.`,
  },
  {
    offer: (owner) =>
      `${owner} 想把此应用转让给您。接受后由您负责，成员会看到您的名字。接受时，它的旧密钥和事件地址会被移除。之后请立即更换密钥（不保留旧密钥），因为 ${owner} 知道它，并检查回调地址。`,
    offerByOperators: '管理员想把此应用交给您。接受后由您负责，成员会看到您的名字。之后请更换密钥。',
    accept: '接受',
    decline: '拒绝',
    changed: '此应用在您打开页面后已被修改，因此没有转让。请重新查看下方的内容。',
    problem: `此应用已不再转让给您，或者您已有 ${MOST_OWN_CLIENTS} 个应用。`,
  },
);
