// Requests of an application over keep-alive connections of its own: cheaper than `fetch`, for tests that send many.

import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test finds out
  body: any;
}

export class Caller {
  private readonly ways: readonly { url: string; agent: Agent }[];
  private sent = 0;

  /** Requests go to these addresses in turn, to each over connections of its own, also where two are the same. */
  constructor(...addresses: readonly string[]) {
    this.ways = addresses.map((url) => ({ url, agent: new Agent({ keepAlive: true }) }));
  }

  /** Reads an address with a token. */
  get(path: string, token: string): Promise<Answer> {
    return this.send('GET', path, { Authorization: `Bearer ${token}` });
  }

  /** Sends a form. */
  post(path: string, fields: Record<string, string>): Promise<Answer> {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return this.send('POST', path, headers, new URLSearchParams(fields).toString());
  }

  close(): void {
    for (const { agent } of this.ways) agent.destroy();
  }

  private send(method: string, path: string, headers: Record<string, string>, body = ''): Promise<Answer> {
    const way = this.ways[this.sent % this.ways.length];
    this.sent += 1;
    return new Promise((resolve, reject) => {
      const sent = request(way?.url + path, { method, headers, agent: way?.agent }, (answer) => {
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
      sent.on('error', reject);
      sent.end(body);
    });
  }
}
