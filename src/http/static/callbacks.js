// Checks the callback addresses of an application while they are typed, by asking the server, and adds a row when the
// last one is filled in. Without this script the form says the same after it was sent.
const list = document.querySelector('[data-check]');
const inputs = () => [...list.querySelectorAll('input')];
const MOST = Number(list.dataset.most);
const timers = new WeakMap();

list.addEventListener('input', ({ target }) => {
  clearTimeout(timers.get(target));
  timers.set(
    target,
    setTimeout(() => check(target), 300),
  );
  addRow();
});

async function check(input) {
  const uri = input.value.trim();
  const answer = await ask(uri);
  // The developer may have typed on.
  if (answer === undefined || uri !== input.value.trim()) return;
  const isTwice = uri !== '' && inputs().some((other) => other !== input && other.value.trim() === uri);
  const problem = isTwice ? answer.twice : answer.problem;
  const text = document.getElementById(input.getAttribute('aria-describedby'));
  text.textContent = problem ?? answer.note ?? '';
  text.className = problem === undefined ? 'hint soft small' : 'error';
  if (problem === undefined) input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
}

async function ask(uri) {
  if (uri === '') return {};
  try {
    const response = await fetch(`${list.dataset.check}?${new URLSearchParams({ uri })}`);
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

function addRow() {
  const all = inputs();
  const last = all.at(-1);
  if (last.value === '' || all.length >= MOST) return;
  const row = last.closest('li').cloneNode(true);
  const input = row.querySelector('input');
  const text = row.querySelector('[role="status"]');
  text.id = `callback-${all.length}-text`;
  text.textContent = '';
  input.id = `callback-${all.length}`;
  input.setAttribute('aria-describedby', text.id);
  input.removeAttribute('aria-invalid');
  input.value = '';
  last.closest('ul').append(row);
}
