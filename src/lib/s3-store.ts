// Files in a bucket of an S3-compatible service. The address has the bucket in its path, which all services accept.

import type { AwsClient } from 'aws4fetch';
import { SECOND } from './clock.ts';
import type { FileStore } from './file-store.ts';
import { lazily } from './remember.ts';

export interface S3Location {
  /** Of the bucket, with the prefix of all names. Ends with a slash. */
  url: string;
  region: string;
}

export interface S3Keys {
  keyId: string;
  secret: string;
}

/** The service answered with an error. The message has the status and the service's word for it. */
export class S3Failure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const PATIENCE = 15 * SECOND;
// A picture has at most some MB.
const MOST_ERROR_CHARACTERS = 2_000;

/** Open the store. Nothing is sent until it is used. */
export function s3Store({ url, region }: S3Location, { keyId, secret }: S3Keys): FileStore {
  // Loaded with the first picture.
  const client = lazily(async (): Promise<AwsClient> => {
    const { AwsClient } = await import('aws4fetch');
    return new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, region, service: 's3', retries: 2 });
  });

  async function send(method: string, name: string, body?: Uint8Array): Promise<Response> {
    const headers = body === undefined ? {} : { 'Content-Type': 'image/webp' };
    const signal = AbortSignal.timeout(PATIENCE);
    const request = { method, headers, signal, redirect: 'error' as const };
    return (await client()).fetch(
      url + name,
      body === undefined ? request : { ...request, body: new Uint8Array(body) },
    );
  }

  return {
    async write(name, bytes) {
      const answer = await send('PUT', name, bytes);
      if (!answer.ok) throw await failureOf(answer);
      await answer.bytes();
    },
    async read(name) {
      const answer = await send('GET', name);
      if (answer.ok) return answer.bytes();
      const failure = await failureOf(answer);
      if (answer.status === 404 && !failure.message.includes('NoSuchBucket')) return undefined;
      throw failure;
    },
    async has(name) {
      const answer = await send('HEAD', name);
      if (answer.ok || answer.status === 404) return answer.ok;
      throw await failureOf(answer);
    },
    async remove(name) {
      const answer = await send('DELETE', name);
      if (!answer.ok && answer.status !== 404) throw await failureOf(answer);
      await answer.bytes();
    },
  };
}

// The whole answer can repeat the request with its signature, so only the word for the error is used.
async function failureOf(answer: Response): Promise<S3Failure> {
  const text = (await answer.text()).slice(0, MOST_ERROR_CHARACTERS);
  const word = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text)?.[1];
  const message = `it answers with status ${answer.status}${word === undefined ? '' : ` (${word})`}`;
  return new S3Failure(answer.status, message);
}
