// Whether an application works: deactivating it, giving it to another member, and deleting it.

import { html } from 'hono/html';
import type { User } from '../../../identity/user.ts';
import { usernameKey } from '../../../identity/username.ts';
import { cancelDeletion, DELETION_COUNTDOWN, planDeletion } from '../../../oauth/client-deletion.ts';
import { askForApproval } from '../../../oauth/client-review.ts';
import { activateClient, deactivateClient } from '../../../oauth/client-status.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { offerClient, withdrawOffer } from '../../../oauth/client-transfer.ts';
import { countMembers } from '../../../oauth/member-count.ts';
import { inputField } from '../../pages/fields.ts';
import type { PostedForm } from '../../pages/form-page.ts';
import { bilingual } from '../../pages/language.ts';
import { countOf, dayElement } from '../../pages/moments.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { notice } from '../notice.ts';
import { proven } from '../proof.ts';
import type { SiteParts } from '../site-parts.ts';
import { changedElsewhere, changer, type Refusal } from './changer.ts';
import { appPage, appPathOf } from './frame.ts';
import { stateNotice } from './overview.ts';

const TAB = '/status';

const ACTS = ['deactivate', 'activate', 'ask', 'delete', 'keep', 'transfer', 'take-back'] as const;
type Act = (typeof ACTS)[number];

/** These need a proof of who the member is. */
const IMPORTANT: readonly Act[] = ['delete', 'transfer'];

/** Show what can be done. */
export function statusPage(site: SiteParts, c: PageContext, _: User, client: Client): Promise<Response> {
  return pageOfStatus(site, c, client);
}

/** Do what the form asks. */
export async function changeStatus(
  site: SiteParts,
  c: PageContext,
  user: User,
  client: Client,
  posted: PostedForm,
): Promise<Response> {
  const { language } = c.get('visitor');
  const act = ACTS.find((each) => each === posted.text('act'));
  if (act === undefined) return pageOfStatus(site, c, client);
  const username = posted.text('username').trim();
  const proof = IMPORTANT.includes(act) && (await proven(site, c, [user, posted]));
  if (proof instanceof Response) return proof;
  const by = await changer(site, c, user, client);
  if ('refusal' in by) return pageOfStatus(site, c, client, { act, username, refusal: by.refusal });
  const { oauth } = site;
  const { id } = client;
  let isDone: boolean;
  if (act === 'transfer') {
    const to = await site.identity.reads.findUserByName(usernameKey(username));
    // Members aren't told that another one is suspended, who can accept later.
    if (to === undefined || to.id === user.id || to.status === 'closed') {
      const refusal = { status: 400, text: words[language].noMember } as const;
      return pageOfStatus(site, c, client, { act, username, refusal });
    }
    isDone = await offerClient(by, oauth, id, to.id);
  } else {
    isDone = await SIMPLE_ACTS[act](by, oauth, id);
  }
  if (isDone) return c.redirect(`${appPathOf(client, TAB)}?done=${act}`, 303);
  return pageOfStatus(site, c, client, { act, username, refusal: changedElsewhere(language) });
}

const SIMPLE_ACTS = {
  deactivate: deactivateClient,
  activate: activateClient,
  ask: askForApproval,
  delete: planDeletion,
  keep: cancelDeletion,
  'take-back': withdrawOffer,
};

interface Refused {
  act: Act;
  username: string;
  refusal: Refusal;
}

async function pageOfStatus(
  site: SiteParts,
  c: PageContext,
  client: Client,
  refused?: Refused,
): Promise<Response> {
  const t = words[c.get('visitor').language];
  const done = ACTS.find((act) => act === c.req.query('done'));
  const members = countOf(await countMembers(site.oauth, client));
  return appPage(
    c,
    client,
    TAB,
    { status: refused?.refusal.status ?? 200 },
    html`
      ${notice(done && t.done[done])}
      ${refused !== undefined && html`<p class="notice wrong" role="alert">${refused.refusal.text}</p>`}
      <p class="soft">${t.members(members)}</p>
      ${activity(c, client)}
      ${await transfer(site, c, client, refused)}
      ${deletion(c, client)}`,
  );
}

function activity(c: PageContext, client: Client): Html {
  const t = words[c.get('visitor').language];
  const { status, deactivation, ownerId } = client;
  if (deactivation === 'refused') {
    return html`
      <section class="card">
        <h2>${t.ask}</h2>
        ${stateNotice(c, client)}
        ${actForm(c, client, 'ask', t.buttons.ask)}
      </section>`;
  }
  const isActive = status === 'active';
  const canActivate = deactivation === 'owner' || ownerId !== c.get('visitor').visit?.user.id;
  const act = isActive ? 'deactivate' : 'activate';
  const means = isActive ? t.deactivateMeans : canActivate ? t.activateMeans : t.byOperators;
  return html`
    <section class="card">
      <h2>${isActive ? t.deactivate : t.activate}</h2>
      <p>${means}</p>
      ${(isActive || canActivate) && actForm(c, client, act, t.buttons[act])}
    </section>`;
}

async function transfer(
  site: SiteParts,
  c: PageContext,
  client: Client,
  refused: Refused | undefined,
): Promise<Html> {
  const t = words[c.get('visitor').language];
  const { transferTo, transferUntil = 0 } = client;
  const to = transferTo === undefined ? undefined : await site.identity.reads.findUser(transferTo);
  if (to !== undefined && transferUntil > site.clock()) {
    return html`
      <section class="card">
        <h2>${t.transfer}</h2>
        <p>${t.offered(to.username)} ${dayElement(transferUntil, c.get('visitor'))}.</p>
        ${actForm(c, client, 'take-back', t.buttons['take-back'])}
      </section>`;
  }
  const refusal = refused?.act === 'transfer' ? refused : undefined;
  const field = inputField({
    name: 'username',
    label: t.username,
    value: refusal?.username ?? '',
    required: true,
  });
  return html`
    <section class="card">
      <h2>${t.transfer}</h2>
      <p>${t.transferMeans}</p>
      ${actForm(c, client, 'transfer', t.buttons.transfer, field)}
    </section>`;
}

function deletion(c: PageContext, client: Client): Html {
  const visitor = c.get('visitor');
  const t = words[visitor.language];
  if (client.deleteAt !== undefined) {
    return html`
      <section class="card">
        <h2>${t.delete}</h2>
        <p>${t.planned} ${dayElement(client.deleteAt, visitor)}. ${t.until}</p>
        ${actForm(c, client, 'keep', t.buttons.keep)}
      </section>`;
  }
  return html`
    <section class="card">
      <h2>${t.delete}</h2>
      <p>${t.deleteMeans}</p>
      ${actForm(c, client, 'delete', t.buttons.delete)}
    </section>`;
}

function actForm(c: PageContext, client: Client, act: Act, button: string, fields: Html | '' = ''): Html {
  const style = act === 'delete' ? 'danger' : '';
  return html`
    <form method="post" action="${appPathOf(client, TAB)}">
      ${formTokenField(c)}
      ${fields}
      <div class="actions"><button class="${style}" name="act" value="${act}">${button}</button></div>
    </form>`;
}

const DAYS = DELETION_COUNTDOWN / 86_400_000;

const words = bilingual(
  {
    members: (count: string) => `Members who have connected it: ${count}.`,
    noMember: 'There is no other member with this username.',
    ask: 'Ask for approval again',
    deactivate: 'Deactivate',
    activate: 'Activate',
    deactivateMeans:
      'The application signs nobody in, and its tokens are refused at once. You can activate it again at any time; members stay connected.',
    activateMeans: 'The application works again, with the members who are connected.',
    byOperators: 'Only the operators can activate this application.',
    transfer: 'Transfer',
    transferMeans:
      'Another member becomes the owner when they accept, within a week. The client ID and the secrets stay; the new owner should replace the secrets. Members see the new owner.',
    offered: (name: string) => `You have offered this application to ${name}, who can accept it until`,
    username: 'Username of the new owner',
    delete: 'Delete',
    deleteMeans: `The application is deleted ${DAYS} days from now; until then it works, and you can cancel. Afterwards its tokens and secrets are refused for good, and the client ID is never used again. Members still see its name, with a note.`,
    planned: 'This application will be deleted on',
    until: 'Until then it works.',
    buttons: {
      deactivate: 'Deactivate application',
      activate: 'Activate application',
      ask: 'Ask again',
      transfer: 'Offer application',
      'take-back': 'Take the offer back',
      delete: 'Delete application',
      keep: 'Keep application',
    },
    done: {
      deactivate: 'Application deactivated. Its tokens are refused.',
      activate: 'Application activated.',
      ask: 'Asked. It works once an operator has approved it.',
      transfer: 'Offered. They find it under “Your applications”.',
      'take-back': 'Offer taken back.',
      delete: 'The deletion is planned. You can cancel it below.',
      keep: 'The deletion is cancelled.',
    },
  },
  {
    members: (count) => `已连接此应用的成员数：${count}。`,
    noMember: '没有使用此用户名的其他成员。',
    ask: '再次申请批准',
    deactivate: '停用',
    activate: '启用',
    deactivateMeans: '应用将无法让成员登录，令牌立即失效。您可以随时重新启用，成员的授权会保留。',
    activateMeans: '应用将恢复工作，已连接的成员不受影响。',
    byOperators: '只有管理员可以启用此应用。',
    transfer: '转让',
    transferMeans:
      '对方在一周内接受后成为所有者。客户端 ID 和密钥保持不变，新所有者应更换密钥。成员会看到新的所有者。',
    offered: (name) => `您已提出将此应用转让给 ${name}，接受期限为`,
    username: '新所有者的用户名',
    delete: '删除',
    deleteMeans: `应用将在 ${DAYS} 天后删除；在此之前仍可使用，也可以取消。删除后，令牌和密钥永久失效，客户端 ID 不会再被使用。成员仍能看到它的名称和说明。`,
    planned: '此应用将被删除，日期：',
    until: '在此之前仍可使用。',
    buttons: {
      deactivate: '停用应用',
      activate: '启用应用',
      ask: '再次申请',
      transfer: '提出转让',
      'take-back': '撤回转让',
      delete: '删除应用',
      keep: '保留应用',
    },
    done: {
      deactivate: '应用已停用，令牌均被拒绝。',
      activate: '应用已启用。',
      ask: '已提交申请，管理员批准后即可使用。',
      transfer: '已提出转让，对方可在“您的应用”中看到。',
      'take-back': '转让已撤回。',
      delete: '已计划删除，可在下方取消。',
      keep: '已取消删除。',
    },
  },
);
