// Where uploaded pictures are kept: FILES_URL, and the keys of a service.

import type { FilesLocation } from './lib/open-file-store.ts';
import { isLoopback } from './oauth/redirect-uri.ts';
import { InvalidSetting } from './setting-values.ts';

// Services accept any region that their operator didn't set.
const DEFAULT_REGION = 'us-east-1';

/** Read the settings. Undefined if pictures are kept in the database. Throws `InvalidSetting`. */
export function readFilesUrl(
  text: string | undefined,
  keys: { keyId: string | undefined; secret: string | undefined },
): FilesLocation | undefined {
  if (text === undefined) return undefined;
  const path = /^file:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
  if (path !== undefined) return { kind: 'folder', path: path.replace(/(?<=.)\/+$/, '') };
  return { kind: 's3', ...bucketOf(text), ...completeKeys(keys) };
}

// The address can contain a password by mistake, so no message quotes it.
function bucketOf(text: string): { url: string; region: string } {
  const url = /^s3(?:\+http)?:\/\//.test(text) ? URL.parse(text.replace(/^s3/, 'x')) : null;
  const [, bucket = '', prefix = ''] =
    /^\/([a-z0-9][a-z0-9.-]{1,62})((?:\/[\w.-]+)*)\/?$/.exec(url?.pathname ?? '') ?? [];
  if (url === null || url.hostname === '' || bucket === '' || /\/\.{1,2}(?:\/|$)/.test(prefix)) {
    throw new InvalidSetting(
      'FILES_URL: must be a folder such as file:/srv/portico/pictures, or a bucket such as ' +
        's3://s3.example.com/bucket or s3://s3.example.com/bucket/prefix?region=eu-central-1',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidSetting('FILES_URL: has keys; set them with FILES_KEY_ID and FILES_SECRET');
  }
  const region = url.searchParams.get('region') ?? DEFAULT_REGION;
  if ([...url.searchParams.keys()].some((name) => name !== 'region') || !/^[a-z0-9-]{1,40}$/.test(region)) {
    throw new InvalidSetting(
      'FILES_URL: after the ? there can only be a region, such as region=eu-central-1',
    );
  }
  const scheme = url.protocol === 'x+http:' || isLoopback(url.hostname) ? 'http' : 'https';
  return { url: `${scheme}://${url.host}/${bucket}${prefix}/`, region };
}

function completeKeys({ keyId, secret }: { keyId: string | undefined; secret: string | undefined }) {
  if (keyId === undefined)
    throw new InvalidSetting('FILES_KEY_ID: is missing; a bucket in FILES_URL needs it');
  if (secret === undefined) {
    throw new InvalidSetting(
      'FILES_SECRET: is missing; set it, or FILES_SECRET_FILE, for the bucket in FILES_URL',
    );
  }
  return { keyId, secret };
}
