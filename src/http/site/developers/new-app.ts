// Registering an application on one page. A program that reads only its author's data is sent to API tokens.

import { html } from 'hono/html';
import { byMember } from '../../../audit/doer.ts';
import type { User } from '../../../identity/user.ts';
import { attempted, hourlyLimit } from '../../../lib/attempt.ts';
import { InvalidRegistration, newClientKey } from '../../../oauth/client.ts';
import { MOST_OWN_CLIENTS, mayRegister, registerOwnClient } from '../../../oauth/own-client.ts';
import { isLoopback, redirectUriProblem } from '../../../oauth/redirect-uri.ts';
import { MOST_REDIRECT_URIS } from '../../../oauth/registration-rules.ts';
import { scopeSet } from '../../../oauth/scope.ts';
import { problemSummary } from '../../pages/fields.ts';
import { outdatedForm, type PostedForm } from '../../pages/form-page.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import { formTokenField, type Html, page } from '../../pages/page.ts';
import { formToken, isFormToken, type PageContext } from '../../pages/visitor.ts';
import { retryAfter, waitText } from '../../pages/waiting.ts';
import { CALLBACKS_SCRIPT } from '../../static-files.ts';
import type { SiteParts } from '../site-parts.ts';
import {
  type AppFields,
  type AppProblems,
  callbackFields,
  introductionFields,
  problemsOf,
  readAppFields,
  registrationIn,
  scopeFields,
} from './app-fields.ts';
import { CONSOLE_PATH, consoleTitle } from './frame.ts';
import { newAppPageOf } from './overview.ts';

const PATH = `${CONSOLE_PATH}/new`;
const MOST_AN_HOUR = 10;

const KINDS = ['server', 'browser', 'device', 'script'] as const;
type Kind = (typeof KINDS)[number];

interface NewApp extends AppFields {
  kind: Kind | undefined;
  /** The form's own key: a form that the browser sends twice registers one application. */
  once: string;
}

interface Problems extends AppProblems {
  /** About the choice of the kind, or about the form as a whole. */
  kind?: string;
}

/** Show the form. */
export function newAppPage(site: SiteParts, c: PageContext, user: User): Promise<Response> {
  if (!mayRegister(c.get('site').applications, user)) return closedPage(c);
  const key = newClientKey(site.clock());
  const once = `${key}.${formToken(c, sealed(key))}`;
  return pageOfForm(c, { once, description: '', homePage: '', ...linkedFields(c) }, {});
}

// The quick starts link to a filled-in form. Of addresses, a link can name only such as stay on the member's own
// computer: nobody should register another one without having typed it.
function linkedFields(c: PageContext): Pick<NewApp, 'kind' | 'name' | 'redirectUris' | 'scopes'> {
  const scopes = scopeSet((c.req.query('scopes') ?? 'openid,profile:read').split(','));
  const redirectUris = (c.req.queries('redirect_uri') ?? [])
    .filter(isOnOwnComputer)
    .slice(0, MOST_REDIRECT_URIS);
  const kind = KINDS.find((each) => each === c.req.query('kind'));
  return { kind, name: c.req.query('name') ?? '', redirectUris, scopes };
}

function isOnOwnComputer(uri: string): boolean {
  const url = URL.parse(uri);
  return url?.protocol === 'http:' && isLoopback(url.hostname) && redirectUriProblem(uri) === undefined;
}

/** Register the application, and show its id and its secret. */
export async function registerApp(
  site: SiteParts,
  c: PageContext,
  user: User,
  posted: PostedForm,
): Promise<Response> {
  const mode = c.get('site').applications;
  if (!mayRegister(mode, user)) return closedPage(c);
  const { language } = c.get('visitor');
  const t = words[language];
  const kind = KINDS.find((each) => each === posted.text('kind'));
  const form: NewApp = { ...readAppFields(posted), kind, once: posted.text('once') };
  const [key = '', seal] = form.once.split('.');
  // The seal keeps other sites out. Members can make one for any key, which the rule judges.
  if (key !== '' && !isFormToken(c, seal, sealed(key))) return outdatedForm(c, { startAgainAt: PATH });
  if (kind === undefined) return pageOfForm(c, form, { kind: t.chooseKind }, 400);
  if (kind === 'script') return pageOfForm(c, form, {});
  const by = byMember(user, site.clock, site.clientAddress(c));
  const registration = {
    ...registrationIn(form),
    kind: kind === 'server' ? ('confidential' as const) : ('public' as const),
    key: key || undefined,
    mustWait: mode === 'approval' && !user.isOperator,
  };
  try {
    const tooFast = await attempted(site.identity, hourlyLimit(by.at, MOST_AN_HOUR, 'application', user.id));
    if (tooFast !== undefined) {
      retryAfter(c, tooFast.retryAfterSeconds);
      return pageOfForm(c, form, { kind: t.tooFast(waitText(tooFast.retryAfterSeconds, language)) }, 429);
    }
    const result = await registerOwnClient(by, site.oauth, registration);
    if ('problem' in result) {
      const { problem } = result;
      if (problem === 'outdated') return outdatedForm(c, { startAgainAt: PATH });
      return pageOfForm(c, form, { kind: t[problem] }, 400);
    }
    return newAppPageOf(site, c, result.client, result.secret);
  } catch (error) {
    if (!(error instanceof InvalidRegistration)) throw error;
    return pageOfForm(c, form, problemsOf(error, language), 400);
  }
}

function sealed(key: string): string {
  return `application\n${key}`;
}

function closedPage(c: PageContext): Promise<Response> {
  const t = words[c.get('visitor').language];
  return page(c, { title: t.title, status: 403 }, html`<h1>${t.title}</h1><p>${t.operatorsOnly}</p>`);
}

function pageOfForm(
  c: PageContext,
  form: NewApp,
  problems: Problems,
  status: 200 | 400 | 429 = 200,
): Promise<Response> {
  const { language } = c.get('visitor');
  const t = words[language];
  const needsApproval = c.get('site').applications === 'approval';
  return page(
    c,
    { title: t.title, status, script: CALLBACKS_SCRIPT },
    html`
      <p class="eyebrow"><a href="${CONSOLE_PATH}">${consoleTitle(c)}</a></p>
      <h1>${t.title}</h1>
      ${needsApproval && html`<p class="soft">${t.needsApproval}</p>`}
      <form method="post" action="${PATH}" class="card kinds" id="new">
        ${formTokenField(c)}
        <input type="hidden" name="once" value="${form.once}">
        ${problemSummary({ ...problems }, language)}
        ${kindFields(form.kind, problems.kind, language)}
        <div class="when-script">
          <p>${t.scriptMeans}</p>
          <p><a class="button primary" href="/settings/tokens#new">${t.createToken}</a></p>
        </div>
        <div class="unless-script">
          ${introductionFields(form, problems, language)}
          ${callbackFields(form, problems, language)}
          ${scopeFields(form, problems, language)}
          <div class="actions"><button class="primary">${t.register}</button></div>
        </div>
      </form>`,
  );
}

function kindFields(chosen: Kind | undefined, problem: string | undefined, language: Language): Html {
  const t = words[language];
  const invalid = problem !== undefined && html` aria-invalid="true" aria-describedby="kind-problem"`;
  return html`
    <fieldset class="field">
      <legend>${t.kind}</legend>
      ${problem !== undefined && html`<span class="error" id="kind-problem">${problem}</span>`}
      <ul class="tick">
        ${KINDS.map((kind, index) => {
          const id = index === 0 ? 'kind' : `kind-${kind}`;
          const checked = kind === chosen && html` checked`;
          const { name, means } = t.kinds[kind];
          return html`
            <li>
              <label>
                <input type="radio" id="${id}" name="kind" value="${kind}"${checked}${invalid} required>
                <span><strong>${name}</strong><br><span class="soft small">${means}</span></span>
              </label>
            </li>`;
        })}
      </ul>
    </fieldset>`;
}

const words = bilingual(
  {
    title: 'Register an application',
    operatorsOnly: 'In this community, only operators register applications. Ask them to register yours.',
    needsApproval: 'An operator looks at each new application. It works once they have approved it.',
    kind: 'What kind of program is it?',
    chooseKind: 'Choose what kind of program it is.',
    kinds: {
      server: { name: 'Website with a server', means: 'It can keep a secret: only your server sees it.' },
      browser: {
        name: 'Page in the browser',
        means: 'Everyone can read its code, so it has no secret and uses PKCE.',
      },
      device: {
        name: 'Phone or desktop program',
        means: 'Everyone who installs it can read its code, so it has no secret and uses PKCE.',
      },
      script: { name: 'Script for myself', means: 'It reads only your own data.' },
    } satisfies Record<Kind, { name: string; means: string }>,
    scriptMeans:
      'A script needs no application and no sign-in page. Create an API token for it, which reads only what you choose.',
    createToken: 'Create an API token',
    register: 'Register application',
    too_many: `You already have ${MOST_OWN_CLIENTS} applications. Delete one that you no longer need.`,
    made_already: 'This form has already registered an application, which is in your list.',
    tooFast: (wait: string) => `You’ve sent this form many times already. Try again in ${wait}.`,
  },
  {
    title: '注册应用',
    operatorsOnly: '本社区只有管理员可以注册应用，请联系管理员代为注册。',
    needsApproval: '管理员会查看每个新应用，批准之后才能使用。',
    kind: '这是什么类型的程序？',
    chooseKind: '请选择程序类型。',
    kinds: {
      server: { name: '有服务器的网站', means: '可以保管密钥：只有您的服务器能看到。' },
      browser: { name: '浏览器中的页面', means: '任何人都能读取代码，因此没有密钥，使用 PKCE。' },
      device: { name: '手机或桌面程序', means: '安装它的人都能读取代码，因此没有密钥，使用 PKCE。' },
      script: { name: '自己使用的脚本', means: '只读取您自己的数据。' },
    },
    scriptMeans: '脚本不需要应用，也不需要登录页面。请为它创建 API 令牌，令牌只能读取您选择的内容。',
    createToken: '创建 API 令牌',
    register: '注册应用',
    too_many: `您已有 ${MOST_OWN_CLIENTS} 个应用，请先删除不再需要的应用。`,
    made_already: '此表单已注册过一个应用，见您的应用列表。',
    tooFast: (wait) => `您提交此表单的次数过多，请在 ${wait}后再试。`,
  },
);
