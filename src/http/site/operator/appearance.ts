// The forms for the logo and the accent colour, on the page of settings.

import { html } from 'hono/html';
import { ENOUGH_CONTRAST, problemWithAccent, shadesOf } from '../../../site/accent.ts';
import { logoPath } from '../../pages/appearance.ts';
import { inputField } from '../../pages/fields.ts';
import { bilingual } from '../../pages/language.ts';
import { formTokenField, type Html } from '../../pages/page.ts';
import { pictureForm, pictureRemovalForm } from '../../pages/picture-form.ts';
import type { PageContext } from '../../pages/visitor.ts';

export const LOGO_PATH = '/operator/settings/logo';
export const ACCENT_PATH = '/operator/settings/accent';

// Each has enough contrast on light pages.
const PRESETS = {
  forest: '#2f6045',
  teal: '#0f6466',
  ocean: '#1d5c8f',
  indigo: '#3f4fa3',
  plum: '#7a3b69',
  crimson: '#9b2335',
  graphite: '#4a4a4a',
} as const;
const STANDARD = { light: '#9a3f1b', dark: '#e58a5f' };

/** The forms to upload a logo and to remove it. */
export function logoCard(c: PageContext, problem: string | undefined): Html {
  const t = words[c.get('visitor').language];
  const { logo } = c.get('site');
  const field = { name: 'logo', label: t.chooseFile, hint: t.logoHint, problem };
  return html`
    <section class="card">
      <div class="row spread">
        <h2>${t.logo}</h2>
        ${logo !== '' && pictureRemovalForm(c, `${LOGO_PATH}/remove`, t.removeLogo)}
      </div>
      ${logo !== '' && html`<p><img width="96" height="96" alt="${t.current}" src="${logoPath(logo)}"></p>`}
      ${pictureForm(c, LOGO_PATH, field, t.upload)}
    </section>`;
}

/** Say why a text can't be the accent. Undefined if it can. */
export function accentProblemText(c: PageContext, text: string): string | undefined {
  const t = words[c.get('visitor').language];
  const problem = problemWithAccent(text);
  if (problem === undefined) return undefined;
  if (problem.problem === 'not_a_colour') return t.notAColour(text);
  // Rounded down, so that a ratio that is too low is never shown as the one that is needed.
  const ratio = (Math.floor(problem.ratio * 100) / 100).toFixed(2);
  return t.lowContrast(text.trim(), ratio, problem.nearest);
}

/** The form for the accent: a field, and a button for each preset. `refused` is a text that can't be one. */
export function accentCard(c: PageContext, refused: string | undefined): Html {
  const t = words[c.get('visitor').language];
  const { accent } = c.get('site');
  const problem = refused === undefined ? undefined : problemWithAccent(refused);
  return html`
    <section class="card">
      <h2>${t.accent}</h2>
      ${accent !== '' && html`<p class="soft">${t.inUse(shadesOf(accent))}</p>`}
      <form method="post" action="${ACCENT_PATH}">
        ${formTokenField(c)}
        <div class="find">
          ${inputField({
            name: 'accent',
            label: t.colour,
            hint: t.accentHint,
            problem: refused === undefined ? undefined : accentProblemText(c, refused),
            value: refused ?? accent,
          })}
          <button class="primary">${t.saveAccent}</button>
        </div>
        <p>${t.orChoose}</p>
        <div class="chips">
          ${problem?.problem === 'contrast' && preset(problem.nearest, t.nearest(problem.nearest))}
          ${preset('', t.standard)}
          ${Object.entries(PRESETS).map(([name, colour]) => preset(colour, t.presets[name as keyof typeof PRESETS]))}
        </div>
      </form>
    </section>`;
}

// The swatch shows the shades of light and of dark pages. As attributes of the drawing the colours need no style.
function preset(colour: string, name: string): Html {
  const { light, dark } = colour === '' ? STANDARD : shadesOf(colour);
  return html`
    <button class="preset" name="preset" value="${colour}">
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <rect width="10" height="20" fill="${light}"/>
        <rect x="10" width="10" height="20" fill="${dark}"/>
      </svg>
      ${name}
    </button>`;
}

const words = bilingual(
  {
    logo: 'Logo',
    current: 'The logo now',
    chooseFile: 'Choose a picture',
    logoHint:
      'PNG, JPEG, WebP, GIF or AVIF, at most 5 MB. It is shown beside the name on every page, light and dark, and as the icon of the browser’s tab. A square works best: other pictures get transparent margins.',
    upload: 'Upload logo',
    removeLogo: 'Remove logo',
    accent: 'Accent colour',
    colour: 'Colour',
    accentHint:
      'For links, buttons and marks: # and six digits or letters from a to f. Dark pages use a lighter shade of it. Empty means the standard colour.',
    inUse: ({ light, dark }: { light: string; dark: string }) =>
      `Light pages use ${light}, and dark pages ${dark}.`,
    saveAccent: 'Save colour',
    orChoose: 'Or choose one of these:',
    standard: 'Standard',
    nearest: (colour: string) => `Use ${colour}`,
    presets: {
      forest: 'Forest',
      teal: 'Teal',
      ocean: 'Ocean',
      indigo: 'Indigo',
      plum: 'Plum',
      crimson: 'Crimson',
      graphite: 'Graphite',
    },
    notAColour: (text: string) =>
      `“${text}” is not a colour of this form. Enter # and six digits or letters from a to f, such as #2f6045.`,
    lowContrast: (colour: string, ratio: string, nearest: string) =>
      `Text in ${colour} is hard to read on light pages: its contrast is ${ratio}:1, and ${ENOUGH_CONTRAST}:1 is needed. The nearest shade with enough contrast is ${nearest}.`,
  },
  {
    logo: '徽标',
    current: '当前的徽标',
    chooseFile: '选择图片',
    logoHint:
      '支持 PNG、JPEG、WebP、GIF 或 AVIF，最大 5 MB。徽标显示在每个页面（浅色和深色）的名称旁，也用作浏览器标签页的图标。正方形图片效果最好，其他图片会加上透明边距。',
    upload: '上传徽标',
    removeLogo: '移除徽标',
    accent: '主题色',
    colour: '颜色',
    accentHint:
      '用于链接、按钮和标记：# 加六位数字或 a 到 f 的字母。深色页面会使用较浅的色调。留空则使用默认颜色。',
    inUse: ({ light, dark }) => `浅色页面使用 ${light}，深色页面使用 ${dark}。`,
    saveAccent: '保存颜色',
    orChoose: '或选择其中一种：',
    standard: '默认',
    nearest: (colour) => `使用 ${colour}`,
    presets: {
      forest: '森林',
      teal: '青色',
      ocean: '海蓝',
      indigo: '靛蓝',
      plum: '梅紫',
      crimson: '绯红',
      graphite: '石墨',
    },
    notAColour: (text) => `“${text}”不是可用的颜色。请填写 # 加六位数字或 a 到 f 的字母，例如 #2f6045。`,
    lowContrast: (colour, ratio, nearest) =>
      `${colour} 的文字在浅色页面上不易辨认：对比度为 ${ratio}:1，至少需要 ${ENOUGH_CONTRAST}:1。最接近的可用颜色是 ${nearest}。`,
  },
);
