// Downloading the pictures of imported texts into the community. A picture that can't be had stays a link, and the next
// run tries it again.

import { excerptOf } from '../community/excerpt.ts';
import { newPicture, picturePath } from '../community/picture.ts';
import type { PictureKey } from '../community/picture-store.ts';
import { SECOND } from '../lib/clock.ts';
import { FetchError, fetchPublic, type PublicRequest } from '../lib/public-fetch.ts';
import type { Destination } from './destination.ts';
import { picturesIn, withPicture } from './pictures-in-text.ts';
import type { Report } from './report.ts';
import type { TextWithPictures } from './store.ts';

/** How the requests of a command reach other servers. Replaced by tests, whose servers are on loopback. */
export type Requests = Pick<PublicRequest, 'ports' | 'network'>;

export interface PictureOptions {
  source: string;
  /** The address of the old site, if it is known. */
  site: string | undefined;
  report: Report;
  /** How many pictures are tried at most. */
  most: number;
  requests: Requests;
}

const LIMITS = { mostBytes: 10_000_000, time: 20 * SECOND, connectTime: 5 * SECOND, mostRedirects: 3 };
const HEADERS = { Accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif' };
// Texts whose pictures are downloaded at the same time.
const AT_ONCE = 4;
// A host that didn't answer so often in a row is not asked again.
const MOST_SILENCES = 5;
const TEXTS_AT_A_TIME = 50;

/** Download the pictures of all texts from a source. `onPicture` is called after each, with how many were tried. */
export async function fetchPictures(
  { reads, writes, clock }: Destination,
  { source, site, report, most, requests }: PictureOptions,
  onPicture: (tried: number) => void,
): Promise<void> {
  const download = downloader(requests);
  /** What became of each address. */
  const results = new Map<string, Promise<PictureKey | Problem | undefined>>();
  let tried = 0;

  async function showPictures(text: TextWithPictures): Promise<void> {
    let { body } = text;
    for (const address of picturesIn(body, site)) {
      if (tried >= most) {
        report.addPictureProblem(text, address, `not tried, since --most-pictures is ${most}`);
        continue;
      }
      tried += 1;
      const result = await show({ ...text, body }, address);
      if (result === undefined) return;
      if ('problem' in result) report.addPictureProblem(text, address, result.problem);
      else {
        report.fetchedPictures += 1;
        body = withPicture(body, address, picturePath(result), site);
      }
      onPicture(tried);
    }
  }

  /** Undefined if the text was changed meanwhile. */
  async function show(text: TextWithPictures, address: string): Promise<PictureKey | Problem | undefined> {
    const earlier = await results.get(address);
    if (earlier !== undefined) {
      if ('problem' in earlier) return earlier;
      return (await put(text, address, earlier)) ? earlier : undefined;
    }
    const result = bring(text, address);
    results.set(address, result);
    return result;
  }

  async function bring(text: TextWithPictures, address: string): Promise<PictureKey | Problem | undefined> {
    const file = await download(address);
    if ('problem' in file) return file;
    const picture = await newPicture(file.body);
    if ('problem' in picture) return { problem: PROBLEMS[picture.problem] };
    if (!(await put(text, address, picture))) return undefined;
    const { digest, width, height } = picture;
    return { digest, width, height };
  }

  function put(text: TextWithPictures, address: string, picture: PictureKey): Promise<boolean> {
    const body = withPicture(text.body, address, picturePath(picture), site);
    return writes.addPicture(text, { body, excerpt: excerptOf(body) }, picture, clock());
  }

  const texts = textsWithPictures(reads, source);
  const worker = async () => {
    for (let next = await texts.next(); !next.done; next = await texts.next()) await showPictures(next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Count the pictures that `fetchPictures` would try. */
export async function countPicturesToFetch(
  reads: Destination['reads'],
  { source, site }: Pick<PictureOptions, 'source' | 'site'>,
): Promise<number> {
  let count = 0;
  for await (const { body } of textsWithPictures(reads, source)) count += picturesIn(body, site).length;
  return count;
}

async function* textsWithPictures(
  reads: Destination['reads'],
  source: string,
): AsyncGenerator<TextWithPictures, undefined> {
  for (const kind of ['post', 'comment'] as const) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const texts = await reads.textsWithPictures(source, kind, after, TEXTS_AT_A_TIME);
      yield* texts;
      after = texts.at(-1)?.externalId;
    }
  }
}

interface Problem {
  problem: string;
}

/** Make the function that downloads a file, or says why it can't be had. */
function downloader(requests: Requests): (address: string) => Promise<{ body: Uint8Array } | Problem> {
  const silences = new Map<string, number>();
  return async (address) => {
    const host = URL.parse(address)?.host ?? '';
    const silent = silences.get(host) ?? 0;
    if (silent >= MOST_SILENCES) return { problem: `${host} did not answer ${silent} times in a row` };
    try {
      const { status, body } = await fetchPublic(address, { ...LIMITS, headers: HEADERS, ...requests });
      silences.delete(host);
      return status === 200 ? { body } : { problem: `${host} answers with status ${status}` };
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      if (SILENCE.has(error.reason)) silences.set(host, (silences.get(host) ?? 0) + 1);
      else silences.delete(host);
      return { problem: error.message };
    }
  };
}

const SILENCE: ReadonlySet<FetchError['reason']> = new Set(['timeout', 'unreachable']);

const PROBLEMS = {
  not_a_picture: 'not a JPEG, PNG, GIF, WebP or AVIF',
  too_many_pixels: 'too many pixels',
  too_costly: 'takes too much memory or time to decode',
  busy: 'too many pictures at once',
};
