// Where FILES_URL keeps pictures.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../src/config.ts';

const KEYS = { FILES_KEY_ID: 'id', FILES_SECRET: 'hush' };

for (const [text, path] of [
  ['file:data/pictures', 'data/pictures'],
  ['file:/srv/pictures/', '/srv/pictures'],
  ['file:///srv/pictures', '/srv/pictures'],
] as const) {
  test(`${text} is a folder`, () => {
    assert.deepEqual(readConfig({ FILES_URL: text }).files, { kind: 'folder', path });
  });
}

for (const [text, url, region] of [
  ['s3://s3.example/bucket', 'https://s3.example/bucket/', 'us-east-1'],
  [
    's3://s3.example:9000/my.bucket/a/b/?region=eu-west-1',
    'https://s3.example:9000/my.bucket/a/b/',
    'eu-west-1',
  ],
  ['s3://127.0.0.1:9000/bucket', 'http://127.0.0.1:9000/bucket/', 'us-east-1'],
  ['s3+http://minio:9000/bucket', 'http://minio:9000/bucket/', 'us-east-1'],
] as const) {
  test(`${text} is a bucket`, () => {
    const { files } = readConfig({ FILES_URL: text, ...KEYS });
    assert.deepEqual(files, { kind: 's3', url, region, keyId: 'id', secret: 'hush' });
  });
}

for (const text of [
  's3://s3.example',
  's3://s3.example/B',
  's3://s3.example/bucket/../x',
  's3:bucket',
  'https://x.example/b',
]) {
  test(`${text} is no place for files`, () => {
    assert.throws(
      () => readConfig({ FILES_URL: text, ...KEYS }),
      /^Error: FILES_URL: must be a folder such as/,
    );
  });
}

test('EARLIER_FILES_URL is read in the same way, with keys of its own', () => {
  const earlier = { EARLIER_FILES_URL: 's3://s3.example/bucket', EARLIER_FILES_KEY_ID: 'old' };
  const { files, earlierFiles } = readConfig({
    FILES_URL: 'file:/srv/pictures',
    ...earlier,
    EARLIER_FILES_SECRET: 'older',
  });

  assert.deepEqual(files, { kind: 'folder', path: '/srv/pictures' });
  const url = 'https://s3.example/bucket/';
  assert.deepEqual(earlierFiles, { kind: 's3', url, region: 'us-east-1', keyId: 'old', secret: 'older' });
  assert.throws(
    () => readConfig({ ...earlier, ...KEYS }),
    /^Error: EARLIER_FILES_SECRET: is missing; set it, or/,
  );
});

for (const [files, earlier] of [
  ['file:data/pictures', 'file:./data/pictures/'],
  ['s3://s3.example/bucket', 's3://s3.example/bucket/?region=eu-west-1'],
] as const) {
  test(`${files} is the same place as ${earlier}, from which nothing can be moved`, () => {
    const keys = { ...KEYS, EARLIER_FILES_KEY_ID: 'id', EARLIER_FILES_SECRET: 'hush' };

    assert.throws(
      () => readConfig({ FILES_URL: files, EARLIER_FILES_URL: earlier, ...keys }),
      /^Error: EARLIER_FILES_URL: is the same place as FILES_URL$/,
    );
  });
}
