// A very small browser for the site's own pages: cookies, forms and redirects.

/** A form on a page, with the values that the page filled in. */
export interface PageForm {
  action: string;
  fields: URLSearchParams;
}

const PATIENCE_MS = 10_000;

export class PageVisitor {
  private readonly cookies = new Map<string, string>();
  private readonly baseUrl: string;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  /** Open an address of the site, or send a form to it. Redirects are returned, not followed. */
  async open(address: string, form?: URLSearchParams): Promise<Response> {
    const response = await fetch(new URL(address, this.baseUrl), {
      method: form === undefined ? 'GET' : 'POST',
      ...(form !== undefined && { body: form }),
      headers: { Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? [];
      if (name !== undefined && value !== undefined) this.cookies.set(name, value);
    }
    return response;
  }
}

/** The target of a redirect. Undefined for other responses. */
export function redirection(response: Response): string | undefined {
  return response.status >= 300 && response.status < 400
    ? (response.headers.get('location') ?? undefined)
    : undefined;
}

/** The form on a page that has a control with this name. */
export function formWith(name: string, page: string): PageForm | undefined {
  for (const [form] of page.matchAll(/<form\b.*?<\/form>/gs)) {
    if (!new RegExp(`\\sname="${name}"`).test(form)) continue;
    const fields = new URLSearchParams();
    for (const [input] of form.matchAll(/<input\b[^>]*>/g)) {
      const isSent = attribute(input, 'type') !== 'checkbox' || /\schecked\b/.test(input);
      const field = attribute(input, 'name');
      if (field !== undefined && isSent) fields.append(field, attribute(input, 'value') ?? '');
    }
    return { action: attribute(form, 'action') ?? '', fields };
  }
  return undefined;
}

function attribute(tag: string, name: string): string | undefined {
  const text = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return text?.replace(/&(amp|lt|gt|quot|#39);/g, (_, entity: keyof typeof ENTITIES) => ENTITIES[entity]);
}

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
