// Lines of the access diary: which requests share one, and what is left out where there would be too many.

import type { DiaryLine } from './access-diary-store.ts';

/** Add the numbers of equal lines. */
export function addTo(earlier: DiaryLine, { requests, posts, firstAt, lastAt }: DiaryLine): DiaryLine {
  return {
    ...earlier,
    requests: earlier.requests + requests,
    posts: earlier.posts + posts,
    firstAt: Math.min(earlier.firstAt, firstAt),
    lastAt: Math.max(earlier.lastAt, lastAt),
  };
}

/** Join equal lines, in the order of their first ones. */
export function joined(lines: Iterable<DiaryLine>): DiaryLine[] {
  const distinct = new Map<string, DiaryLine>();
  for (const line of lines) addLine(distinct, line);
  return [...distinct.values()];
}

/** Add a line to lines under their names. */
export function addLine(lines: Map<string, DiaryLine>, line: DiaryLine): void {
  const name = nameOf(line);
  const earlier = lines.get(name);
  lines.set(name, earlier === undefined ? line : addTo(earlier, line));
}

/** Name a line by all that equal ones have in common. */
export function nameOf({
  userId,
  hour,
  clientId,
  source,
  reading,
  status,
  network,
  program,
}: DiaryLine): string {
  return `${userId} ${hour} ${clientId} ${source} ${reading} ${status} ${network} ${program}`;
}

/** A line without the network and the program: callers name as many programs as they like. */
export function withoutPlace(line: DiaryLine): DiaryLine {
  return { ...line, network: '', program: '' };
}
