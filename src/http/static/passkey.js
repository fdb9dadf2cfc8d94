// Asks the browser for a passkey, and sends its answer with the form of the button. Without this script, or in a browser
// without passkeys, the buttons stay hidden.
(() => {
  if (typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON !== 'function') return;
  const { credentials } = navigator;
  let offer;

  async function answer({ passkey, options }, more = {}) {
    const json = JSON.parse(options);
    const credential =
      passkey === 'create'
        ? await credentials.create({
            publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(json),
            ...more,
          })
        : await credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(json),
            ...more,
          });
    return JSON.stringify(credential);
  }

  function send(button, response) {
    button.form.elements.passkey.value = response;
    // Fields for another proof stay empty.
    button.form.noValidate = true;
    button.form.requestSubmit();
  }

  // The browser lists passkeys among its suggestions for the username.
  async function offerPasskeys(button) {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    offer = new AbortController();
    try {
      send(button, await answer(button.dataset, { mediation: 'conditional', signal: offer.signal }));
    } catch {
      // The member chose another way.
    }
  }

  for (const button of document.querySelectorAll('button[data-passkey]')) {
    const status = document.getElementById(button.getAttribute('aria-describedby'));
    button.hidden = false;
    button.addEventListener('click', async () => {
      if (button.dataset.passkey === 'create' && !button.form.reportValidity()) return;
      offer?.abort();
      status.textContent = '';
      try {
        send(button, await answer(button.dataset));
      } catch (error) {
        status.textContent =
          error.name === 'InvalidStateError' ? button.dataset.known : button.dataset.failed;
      }
    });
    if (button.dataset.conditional !== undefined) offerPasskeys(button);
  }
})();
