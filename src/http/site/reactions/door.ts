// What readers make of a post.

import type { Hono } from 'hono';
import type { PageEnv } from '../../pages/visitor.ts';
import type { SiteDoor } from '../door.ts';
import { together } from '../together.ts';
import { comments } from './comments.ts';
import { likes } from './likes.ts';
import { reportPages } from './report.ts';

export function reactionDoor(site: SiteDoor): Hono<PageEnv> {
  return together(site, [comments, likes, reportPages]);
}
