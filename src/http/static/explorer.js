// Sends the requests of the reference from the page, and shows the answers as they came. The token stays in its field:
// it is sent in the header only, and is kept nowhere.
const token = document.getElementById('token');
for (const part of document.querySelectorAll('[data-explorer]')) part.hidden = false;

for (const form of document.querySelectorAll('form[data-send]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
}

async function send(form) {
  const state = form.querySelector('[role="status"]');
  const answer = form.querySelector('pre');
  if (form.dataset.token !== undefined && token.value.trim() === '') {
    state.textContent = form.dataset.missing;
    token.focus();
    return;
  }
  try {
    const response = await fetch(addressOf(form), {
      headers: headersOf(form),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
    });
    const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
    state.textContent = `${response.status} ${response.statusText}`;
    answer.textContent = `${lines.join('\n')}\n\n${readable(await response.text())}`;
    answer.hidden = false;
  } catch {
    state.textContent = form.dataset.failed;
    answer.hidden = true;
  }
}

function fieldsOf(form, place) {
  return [...form.elements].filter((field) => field.dataset.in === place && field.value !== '');
}

function addressOf(form) {
  const address = new URL(form.dataset.send, location.origin);
  for (const field of fieldsOf(form, 'query')) address.searchParams.set(field.dataset.name, field.value);
  return address;
}

function headersOf(form) {
  const headers = new Headers();
  for (const field of fieldsOf(form, 'header')) headers.set(field.dataset.name, field.value);
  if (form.dataset.token !== undefined) headers.set('Authorization', `Bearer ${token.value.trim()}`);
  return headers;
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
