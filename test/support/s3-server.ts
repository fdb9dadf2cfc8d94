// A small server of the S3 protocol: objects in memory, and requests that are signed with its key (AWS Signature
// Version 4).

import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestScope } from './databases.ts';

export const S3_KEYS = { keyId: 'PORTICOTEST', secret: 'a secret of the tests of S3' };
const REGION = 'eu-test-1';

export interface S3Server {
  /** For FILES_URL, without the keys. */
  setting: string;
  /** The objects by their paths. */
  objects: Map<string, Buffer>;
  /** What it answers instead of doing what it is asked: a status and the word for the error. */
  failure: { status: number; code: string; method?: string } | undefined;
  /** Called with the method of each request. */
  onRequest: (method: string) => void;
  /** Whether it accepts requests and never answers. */
  isSilent: boolean;
}

/** Start the server with one bucket, `pictures`. */
export async function startS3(scope: TestScope): Promise<S3Server> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (!state.isSilent) answer(state, request, body, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const state: S3Server = {
    setting: `s3://127.0.0.1:${port}/pictures/of-tests?region=${REGION}`,
    objects: new Map(),
    failure: undefined,
    onRequest: () => {},
    isSilent: false,
  };
  return state;
}

function answer(state: S3Server, request: IncomingMessage, body: Buffer, response: ServerResponse): unknown {
  const { method = '', url = '' } = request;
  const { failure, objects } = state;
  state.onRequest(method);
  if (failure !== undefined && (failure.method ?? method) === method)
    return refuse(response, failure.status, failure.code);
  if (!isSigned(request)) return refuse(response, 403, 'SignatureDoesNotMatch');
  if (!url.startsWith('/pictures/')) return refuse(response, 404, 'NoSuchBucket');
  if (method === 'PUT') {
    objects.set(url, body);
    return response.writeHead(200).end();
  }
  if (method === 'DELETE') {
    objects.delete(url);
    return response.writeHead(204).end();
  }
  const object = objects.get(url);
  if (object === undefined) return refuse(response, 404, 'NoSuchKey');
  return response.writeHead(200, { 'Content-Length': object.length }).end(object);
}

function refuse(response: ServerResponse, status: number, code: string): unknown {
  return response
    .writeHead(status, { 'Content-Type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`);
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/\w+, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

function isSigned({ method = '', url = '', headers }: IncomingMessage): boolean {
  const [, keyId, day, region, signed = '', signature] =
    AUTHORIZATION.exec(headers.authorization ?? '') ?? [];
  const time = String(headers['x-amz-date']);
  if (keyId !== S3_KEYS.keyId || region !== REGION || day === undefined || !time.startsWith(day))
    return false;
  const [path = '', query = ''] = url.split('?');
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const request = [method, path, query, lines.join(''), signed, headers['x-amz-content-sha256']].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const digest = createHash('sha256').update(request).digest('hex');
  const text = ['AWS4-HMAC-SHA256', time, scope, digest].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${S3_KEYS.secret}`,
  );
  return createHmac('sha256', key).update(text).digest('hex') === signature;
}
