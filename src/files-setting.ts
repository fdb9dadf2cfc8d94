// Where uploaded pictures are kept: FILES_URL, and the keys of a service. The same for where they were kept before.

import { resolve } from 'node:path';
import type { FilesLocation } from './lib/open-file-store.ts';
import { isLoopback } from './oauth/redirect-uri.ts';
import { InvalidSetting } from './setting-values.ts';

// Services accept any region that their operator didn't set.
const DEFAULT_REGION = 'us-east-1';

type Name = `${'' | 'EARLIER_'}FILES_${'URL' | 'KEY_ID' | 'SECRET'}`;

/** Read FILES_URL and its keys. Undefined if pictures are kept in the database. Throws `InvalidSetting`. */
export function readFilesUrl(values: Partial<Record<Name, string>>): FilesLocation | undefined {
  const { FILES_KEY_ID: keyId, FILES_SECRET: secret } = values;
  return locationIn(values.FILES_URL, 'FILES', { keyId, secret });
}

/** The same for EARLIER_FILES_URL, which must be another place. */
export function readEarlierFilesUrl(values: Partial<Record<Name, string>>): FilesLocation | undefined {
  const { EARLIER_FILES_KEY_ID: keyId, EARLIER_FILES_SECRET: secret } = values;
  const earlier = locationIn(values.EARLIER_FILES_URL, 'EARLIER_FILES', { keyId, secret });
  const files = readFilesUrl(values);
  if (earlier !== undefined && files !== undefined && placeOf(earlier) === placeOf(files))
    throw new InvalidSetting('EARLIER_FILES_URL: is the same place as FILES_URL');
  return earlier;
}

function placeOf(location: FilesLocation): string {
  return location.kind === 'folder' ? resolve(location.path) : location.url;
}

/** The beginning of the names of the settings. */
type Settings = 'FILES' | 'EARLIER_FILES';

function locationIn(
  text: string | undefined,
  settings: Settings,
  keys: { keyId: string | undefined; secret: string | undefined },
): FilesLocation | undefined {
  if (text === undefined) return undefined;
  const path = /^file:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
  if (path !== undefined) return { kind: 'folder', path: path.replace(/(?<=.)\/+$/, '') };
  return { kind: 's3', ...bucketOf(text, settings), ...completeKeys(keys, settings) };
}

// The address can contain a password by mistake, so no message quotes it.
function bucketOf(text: string, settings: Settings): { url: string; region: string } {
  const url = /^s3(?:\+http)?:\/\//.test(text) ? URL.parse(text.replace(/^s3/, 'x')) : null;
  const [, bucket = '', prefix = ''] =
    /^\/([a-z0-9][a-z0-9.-]{1,62})((?:\/[\w.-]+)*)\/?$/.exec(url?.pathname ?? '') ?? [];
  if (url === null || url.hostname === '' || bucket === '' || /\/\.{1,2}(?:\/|$)/.test(prefix)) {
    throw new InvalidSetting(
      `${settings}_URL: must be a folder such as file:/srv/portico/pictures, or a bucket such as ` +
        's3://s3.example.com/bucket or s3://s3.example.com/bucket/prefix?region=eu-central-1',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidSetting(
      `${settings}_URL: has keys; set them with ${settings}_KEY_ID and ${settings}_SECRET`,
    );
  }
  const region = url.searchParams.get('region') ?? DEFAULT_REGION;
  if ([...url.searchParams.keys()].some((name) => name !== 'region') || !/^[a-z0-9-]{1,40}$/.test(region)) {
    throw new InvalidSetting(
      `${settings}_URL: after the ? there can only be a region, such as region=eu-central-1`,
    );
  }
  const scheme = url.protocol === 'x+http:' || isLoopback(url.hostname) ? 'http' : 'https';
  return { url: `${scheme}://${url.host}/${bucket}${prefix}/`, region };
}

function completeKeys(
  { keyId, secret }: { keyId: string | undefined; secret: string | undefined },
  settings: Settings,
) {
  if (keyId === undefined)
    throw new InvalidSetting(`${settings}_KEY_ID: is missing; a bucket in ${settings}_URL needs it`);
  if (secret === undefined) {
    throw new InvalidSetting(
      `${settings}_SECRET: is missing; set it, or ${settings}_SECRET_FILE, for the bucket in ${settings}_URL`,
    );
  }
  return { keyId, secret };
}
