// The buttons at the end of each page that choose its language and its colours, for this browser.

import { html } from 'hono/html';
import { COLOURS, chosenColours } from './colours.ts';
import { formTokenField } from './form-token-field.ts';
import { bilingual, LANGUAGE_NAMES, LANGUAGE_TAGS } from './language.ts';
import type { PageContext } from './visitor.ts';

type Html = ReturnType<typeof html>;

/** Make the buttons, which lead back to the page. A page with one decision has the language only. */
export function browserChoices(c: PageContext, returnTo: string, isBare = false): Html {
  return html`
    <div class="choice">
      ${!isBare && choiceForm(c, '/colours', returnTo, coloursButtons(c))}
      ${choiceForm(c, '/language', returnTo, languageButton(c))}
    </div>`;
}

function choiceForm(c: PageContext, action: string, returnTo: string, buttons: Html | Html[]): Html {
  return html`
    <form method="post" action="${action}">
      ${c.get('visitor').visit !== undefined && formTokenField(c)}
      <input type="hidden" name="return_to" value="${returnTo}">
      ${buttons}
    </form>`;
}

function coloursButtons(c: PageContext): Html[] {
  const t = words[c.get('visitor').language];
  const chosen = chosenColours(c);
  return COLOURS.filter((each) => each !== chosen).map(
    (each) => html`<button class="link" name="colours" value="${each}">${t[each]}</button>`,
  );
}

function languageButton(c: PageContext): Html {
  const other = c.get('visitor').language === 'en' ? 'zh' : 'en';
  const tag = LANGUAGE_TAGS[other];
  return html`<button class="link" name="language" value="${other}" lang="${tag}">${LANGUAGE_NAMES[other]}</button>`;
}

const words = bilingual(
  { light: 'Light colours', dark: 'Dark colours', device: 'Device colours' },
  { light: '浅色', dark: '深色', device: '跟随设备' },
);
