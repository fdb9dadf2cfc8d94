// A visitor of a sample application: a browser that keeps its cookies and follows no redirects.

export class Visitor {
  private readonly cookies = new Map<string, string>();
  private readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  async send(path: string, method = 'GET'): Promise<Response> {
    const headers = { Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const answer = await fetch(new URL(path, this.origin), { method, headers, redirect: 'manual' });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    return answer;
  }

  /** Open a page that redirects. Returns where to. */
  async redirectFrom(path: string): Promise<string> {
    return (await this.send(path)).headers.get('location') ?? '';
  }

  async page(): Promise<string> {
    return (await this.send('/')).text();
  }
}
