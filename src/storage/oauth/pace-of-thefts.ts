// How many codes and refresh tokens that are used twice are recorded.

import { type Fragment, fragment } from '../engine/sql.ts';

/**
 * The condition to record such an event, with `:hourAgo`: at most 60 in an hour for a member, since an application can
 * cause as many as it likes; but always the first of each application, so that none hides the thefts at others.
 */
export function withinPace(event: Fragment, userId: Fragment, clientId: Fragment): Fragment {
  const newest = fragment`
    FROM security_events AS newest WHERE newest.user_id = ${userId} AND newest.event = ${event}
    ORDER BY newest.id DESC`;
  return fragment`(
    coalesce((SELECT newest.at ${newest} LIMIT 1 OFFSET 59), 0) <= :hourAgo
    OR NOT EXISTS (
      SELECT 1 FROM (SELECT newest.client_id, newest.at ${newest} LIMIT 200) AS lately
      WHERE lately.client_id = ${clientId} AND lately.at > :hourAgo))`;
}
