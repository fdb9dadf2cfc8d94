// A simple browser with cookies and forms, which follows no redirects. For tests that don't need Chromium.

export interface FormFields {
  [name: string]: string | string[];
}

export class Browser {
  private readonly cookies = new Map<string, string>();
  readonly origin: string;
  readonly language: string;
  private readonly userAgent: string | undefined;

  /** Where it is, if the server trusts the proxy that says so. */
  address: string | undefined;

  constructor(origin: string, language = 'en', userAgent?: string) {
    this.origin = origin;
    this.language = language;
    this.userAgent = userAgent;
  }

  /** Open a page of the site. A redirect is returned, not followed. */
  open(path: string, init: RequestInit = {}): Promise<Response> {
    return this.send(path, init);
  }

  /** Open a page of the site, and follow redirects within it. */
  async follow(path: string, init: RequestInit = {}): Promise<Response> {
    let answer = await this.open(path, init);
    for (let times = 0; times < 5 && answer.headers.get('location')?.startsWith('/'); times += 1) {
      answer = await this.open(answer.headers.get('location') ?? '');
    }
    return answer;
  }

  /** Return the text of a page. */
  async read(path: string): Promise<string> {
    return (await this.open(path)).text();
  }

  /** Send a form from this page. These fields replace the form's own. */
  async submit(page: string, action: string, fields: FormFields = {}): Promise<Response> {
    const form = formIn(page, action);
    const body = new URLSearchParams();
    for (const [name, value] of form) if (!(name in fields)) body.append(name, value);
    for (const [name, value] of Object.entries(fields)) {
      for (const one of [value].flat()) body.append(name, one);
    }
    return this.post(action, body);
  }

  /** Send a body, with or without a form. */
  post(path: string, body: URLSearchParams): Promise<Response> {
    return this.send(path, { method: 'POST', body });
  }

  /** Sign in on the login page. Returns the response to its form. */
  async signIn(username: string, password: string, returnTo = '/'): Promise<Response> {
    const page = await (await this.open(`/login?${new URLSearchParams({ return_to: returnTo })}`)).text();
    return this.submit(page, '/login', { username, password });
  }

  cookie(name: string): string | undefined {
    return this.cookies.get(name);
  }

  setCookie(name: string, value: string): void {
    this.cookies.set(name, value);
  }

  private async send(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('Accept-Language', this.language);
    if (this.address !== undefined) headers.set('X-Forwarded-For', this.address);
    if (this.userAgent !== undefined) headers.set('User-Agent', this.userAgent);
    headers.set('Cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(new URL(path, this.origin), { ...init, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name === undefined || value === undefined) continue;
      if (value === '' || /max-age=0/i.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

/** Return the token that proves that a form belongs to this session. All forms of a page have the same one. */
export function formTokenIn(page: string): string {
  return /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
}

/** Return the fields of the form with this action, as a browser would send them. */
export function formIn(page: string, action: string): [string, string][] {
  const form = [...page.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)]
    .map(([text]) => text)
    .find((text) => decodeEntities(/action="([^"]*)"/.exec(text)?.[1] ?? '') === action);
  if (form === undefined) throw new Error(`The page has no form with the action ${action}.`);
  const fields: [string, string][] = [];
  for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
    const type = /type="([^"]*)"/.exec(tag)?.[1] ?? 'text';
    const name = /name="([^"]*)"/.exec(tag)?.[1];
    const isUnticked = (type === 'checkbox' || type === 'radio') && !/\schecked\b/.test(tag);
    if (name === undefined || isUnticked) continue;
    fields.push([name, decodeEntities(/value="([^"]*)"/.exec(tag)?.[1] ?? '')]);
  }
  for (const [, name, text] of form.matchAll(/<textarea\b[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/textarea>/g)) {
    fields.push([name ?? '', decodeEntities(text ?? '')]);
  }
  for (const [, name, options] of form.matchAll(/<select\b[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)) {
    const chosen =
      /<option\b[^>]*value="([^"]*)"[^>]*selected/.exec(options ?? '') ??
      /value="([^"]*)"/.exec(options ?? '');
    fields.push([name ?? '', decodeEntities(chosen?.[1] ?? '')]);
  }
  return fields;
}

/** The text of an attribute or element. */
export function decodeEntities(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}
