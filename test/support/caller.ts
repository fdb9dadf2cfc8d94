// Requests of an application over keep-alive connections of its own: cheaper than `fetch`, for tests that send many.

import { Agent, request } from 'node:http';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test finds out
  body: any;
}

export class Caller {
  private readonly url: string;
  private readonly agent = new Agent({ keepAlive: true });

  constructor(url: string) {
    this.url = url;
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
    this.agent.destroy();
  }

  private send(method: string, path: string, headers: Record<string, string>, body = ''): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(this.url + path, { method, headers, agent: this.agent }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text || '{}') }));
        answer.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}
