// Likes a post without leaving the page. The page that the form leads to is read, and its button and counts are taken
// over. Without this script, or if that fails, the form leads there.
const form = document.querySelector('.reactions form');
const button = form.querySelector('button');
let isUnderWay = false;

async function send() {
  const answer = await fetch(form.getAttribute('action'), {
    method: 'POST',
    body: new URLSearchParams(new FormData(form)),
  });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const next = page.querySelector('.reactions form');
  // For example when the member has signed out in another tab.
  if (!answer.ok || next === null) throw new Error(answer.statusText);
  const after = next.querySelector('button');
  form.setAttribute('action', next.getAttribute('action'));
  button.setAttribute('aria-pressed', after.getAttribute('aria-pressed'));
  button.replaceChildren(...after.childNodes);
  document.querySelector('.reading footer .meta').replaceWith(page.querySelector('.reading footer .meta'));
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (isUnderWay) return;
  isUnderWay = true;
  send()
    .catch(() => form.submit())
    .finally(() => {
      isUnderWay = false;
    });
});
