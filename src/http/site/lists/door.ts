// Posts found: the newest, the popular, those of a category, a search, feeds.

import type { Hono } from 'hono';
import type { PageEnv } from '../../pages/visitor.ts';
import type { SiteDoor } from '../door.ts';
import { together } from '../together.ts';
import { atomFeeds } from './atom.ts';
import { feedPages } from './browsing.ts';
import { homePage } from './home.ts';
import { searchPages } from './search.ts';

export function listDoor(site: SiteDoor): Hono<PageEnv> {
  return together(site, [atomFeeds, feedPages, homePage, searchPages]);
}
