// A mail server on this machine that keeps every mail, or refuses as a test says.

import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { TestScope } from './databases.ts';
import { freePort } from './services.ts';

export interface ReceivedMail {
  to: string[];
  /** The mail as sent, without the dots that the protocol adds. */
  source: string;
  subject: string;
  text: string;
}

export interface SmtpServer {
  url: string;
  mails: ReceivedMail[];
  /** The response to the next recipients; undefined if they are accepted. */
  refusal: string | undefined;
  /** The user and the password that a client sent. */
  credentials: string[];
}

export async function startSmtpServer(scope: TestScope, host = '127.0.0.1'): Promise<SmtpServer> {
  const port = await freePort();
  const state: SmtpServer = {
    url: `smtp://${host}:${port}`,
    mails: [],
    refusal: undefined,
    credentials: [],
  };
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    converse(socket, state);
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  scope.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return state;
}

function converse(socket: Socket, state: SmtpServer): void {
  let to: string[] = [];
  let data: string[] | undefined;
  const say = (line: string) => socket.write(`${line}\r\n`);
  socket.on('error', () => {});
  say('220 mail.example ready');
  createInterface({ input: socket }).on('line', (line) => {
    if (data !== undefined) {
      if (line !== '.') {
        data.push(line.replace(/^\.\./, '.'));
        return;
      }
      state.mails.push(mailOf(to, data.join('\r\n')));
      [to, data] = [[], undefined];
      say('250 accepted');
      return;
    }
    const [verb = '', ...rest] = line.split(' ');
    switch (verb.toUpperCase()) {
      case 'EHLO':
        say('250-mail.example');
        say('250-SMTPUTF8');
        say('250 AUTH PLAIN');
        break;
      case 'AUTH':
        state.credentials.push(
          ...Buffer.from(rest[1] ?? '', 'base64')
            .toString()
            .split('\0')
            .slice(1),
        );
        say('235 welcome');
        break;
      case 'RCPT':
        if (state.refusal === undefined) to.push(/<(.*)>/.exec(line)?.[1] ?? '');
        say(state.refusal ?? '250 fine');
        break;
      case 'DATA':
        data = [];
        say('354 go on');
        break;
      case 'QUIT':
        say('221 bye');
        socket.end();
        break;
      default:
        say('250 fine');
    }
  });
}

/** Parse a mail: its subject and text as a reader sees them. */
export function mailOf(to: string[], source: string): ReceivedMail {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const header = (name: string) =>
    new RegExp(`^${name}: ((?:.*)(?:\r\n[ \t].*)*)`, 'im').exec(head)?.[1]?.replaceAll(/\r\n[ \t]/g, ' ') ??
    '';
  const body = rest.join('\r\n\r\n');
  const encoding = header('Content-Transfer-Encoding').toLowerCase();
  return {
    to,
    source,
    subject: words(header('Subject')),
    text: decode(body, encoding).replaceAll('\r\n', '\n'),
  };
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

// RFC 2047.
function words(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind, word) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : decode(word.replaceAll('_', ' '), 'quoted-printable'),
    );
}
