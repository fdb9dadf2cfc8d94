// Marks the comments that are newer than this browser's last visit to the post. The times of visits stay in the browser.
(() => {
  const KEY = 'visits';
  const MOST_POSTS = 200;
  // Reading further, or looking again soon, is the same visit.
  const PAUSE = 30 * 60 * 1000;
  const section = document.getElementById('comments');
  const { post, now: shownAt, fresh, freshCount } = section.dataset;
  const now = Number(shownAt);

  /** The newest visit of each post last: its beginning, the last look, and when the visit before it ended. */
  function readVisits() {
    try {
      return new Map(JSON.parse(localStorage.getItem(KEY)));
    } catch {
      return new Map();
    }
  }

  function noteVisit() {
    const visits = readVisits();
    const { last, before } = visits.get(post) ?? {};
    const isSame = last !== undefined && now - last < PAUSE;
    const end = isSame ? before : last;
    visits.delete(post);
    visits.set(post, { last: Math.max(now, last ?? 0), ...(end !== undefined && { before: end }) });
    try {
      localStorage.setItem(KEY, JSON.stringify([...visits].slice(-MOST_POSTS)));
    } catch {
      // Without room, nothing is marked the next time.
    }
    return end;
  }

  function mark(comment) {
    const badge = document.createElement('span');
    badge.className = 'badge fresh';
    badge.textContent = fresh;
    comment.querySelector('.meta').append(' ', badge);
  }

  function linkToFirst(first, count) {
    const link = document.createElement('a');
    link.className = 'small';
    link.href = `#${first.id}`;
    link.textContent = freshCount.replace('{n}', String(count));
    section.querySelector('h2').append(' ', link);
  }

  const end = noteVisit();
  if (end === undefined) return;
  const comments = [...section.querySelectorAll('.comment:has(.dt-published)')].filter(
    (comment) =>
      Date.parse(comment.querySelector('.dt-published').dateTime) > end &&
      // The reader's own can be edited.
      comment.querySelector(':scope > .links a[href$="/edit"]') === null,
  );
  for (const comment of comments) mark(comment);
  if (comments.length > 0) linkToFirst(comments[0], comments.length);
})();
