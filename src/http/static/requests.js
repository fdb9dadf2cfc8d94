// Keeps the list of an application's requests up to date. The server says when there are new ones, and the page reads
// itself again, so that it looks the same as after a reload. Lines that are open stay open.
const list = document.getElementById('requests');
const state = document.getElementById('live');
const source = new EventSource(list.dataset.stream);

function say(text) {
  if (state.textContent !== text) state.textContent = text;
}

async function refresh() {
  const answer = await fetch(location.href, { redirect: 'error' });
  if (!answer.ok) throw new Error(answer.statusText);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const lines = [...page.getElementById('requests').children].map((line) => {
    const known = document.getElementById(line.id);
    if (known?.dataset.version === line.dataset.version) return known;
    line.querySelector('details').open = known?.querySelector('details').open ?? false;
    return document.adoptNode(line);
  });
  list.replaceChildren(...lines);
  document.getElementById('no-requests').hidden = lines.length > 0;
}

let underWay = Promise.resolve();
source.addEventListener('open', () => say(state.dataset.on));
source.addEventListener('error', () => say(state.dataset.off));
source.addEventListener('requests', () => {
  const focus = document.activeElement?.closest('li')?.id;
  underWay = underWay
    .then(refresh)
    .then(() => focus && document.getElementById(focus)?.querySelector('summary').focus())
    .catch(() => {
      source.close();
      say(state.dataset.off);
    });
});
