// Writing posts and reading them, but for their readable addresses, which go after every other page below a post.

import type { Hono } from 'hono';
import type { PageEnv } from '../../pages/visitor.ts';
import type { SiteDoor } from '../door.ts';
import { together } from '../together.ts';
import { autosaving } from './autosave.ts';
import { draftPages } from './drafts.ts';
import { postEditing } from './editing.ts';
import { postPages } from './post.ts';
import { postRemoval } from './removal.ts';
import { removedPosts } from './removed.ts';

export function postDoor(site: SiteDoor): Hono<PageEnv> {
  return together(site, [autosaving, draftPages, postEditing, postPages, postRemoval, removedPosts]);
}
