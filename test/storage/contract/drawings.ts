// The cards and icons that the server keeps.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asMember, SERVER } from '../doers.ts';
import { type Open, openFixture } from '../fixture.ts';

function registerTests(open: Open): void {
  test('a drawing is found by its name and version, and replaces the one before', async (t) => {
    const { site, alice } = await openFixture(open, t);
    const bytesOf = async (name: string, version: string) => [
      ...((await site.findDrawing({ name, version })) ?? []),
    ];

    await site.keepDrawing(SERVER, drawing('post 1', 'a', alice, 1));
    await site.keepDrawing(SERVER, drawing('icon 32', 'a', undefined, 2));
    await site.keepDrawing(SERVER, drawing('post 1', 'b', alice, 255));

    assert.deepEqual(
      [await bytesOf('post 1', 'a'), await bytesOf('post 1', 'b'), await bytesOf('icon 32', 'a')],
      [[], [255], [2]],
    );
  });

  test('closing an account deletes the drawings with its name, and no later one is kept', async (t) => {
    const { site, identity, alice, bob } = await openFixture(open, t);
    for (const [name, userId] of [
      ['post 1', alice],
      ['post 2', bob],
    ] as const) {
      await site.keepDrawing(SERVER, drawing(name, 'a', userId, 1));
    }

    await identity.closeAccount(asMember(alice), alice);
    await site.keepDrawing(SERVER, drawing('post 3', 'a', alice, 1));

    const names = ['post 1', 'post 2', 'post 3'];
    const found = await Promise.all(names.map((name) => site.findDrawing({ name, version: 'a' })));
    assert.deepEqual(
      found.map((image) => image !== undefined),
      [false, true, false],
    );
  });
}

function drawing(name: string, version: string, userId: number | undefined, byte: number) {
  return { name, version, userId, image: new Uint8Array([byte]) };
}

export const drawings = { title: 'cards and icons', registerTests };
