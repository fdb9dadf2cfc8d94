// Requests over keep-alive connections: cheaper than `fetch`, for tests that send many.

import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever JSON the body has
  body: any;
}

export class Caller {
  private readonly targets: readonly { url: string; agent: Agent }[];
  private count = 0;

  /** Requests go to these addresses in turn. Each has its own connections, even if two addresses are the same. */
  constructor(...addresses: readonly string[]) {
    // Less than the time after which Portico closes idle connections: a request into a connection that is being closed
    // fails.
    this.targets = addresses.map((url) => ({ url, agent: new Agent({ keepAlive: true, timeout: 4000 }) }));
  }

  /** Get a path, with a token. */
  get(path: string, token: string): Promise<Answer> {
    return this.send('GET', path, { Authorization: `Bearer ${token}` });
  }

  /** Send a form. */
  post(path: string, fields: Record<string, string>): Promise<Answer> {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return this.send('POST', path, headers, new URLSearchParams(fields).toString());
  }

  close(): void {
    for (const { agent } of this.targets) agent.destroy();
  }

  private send(method: string, path: string, headers: Record<string, string>, body = ''): Promise<Answer> {
    const target = this.targets[this.count % this.targets.length];
    this.count += 1;
    return new Promise((resolve, reject) => {
      const outgoing = request(target?.url + path, { method, headers, agent: target?.agent }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        answer.on('end', () => {
          const { statusCode = 0, headers } = answer;
          resolve({ status: statusCode, headers, body: JSON.parse(text || '{}') });
        });
        answer.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}
