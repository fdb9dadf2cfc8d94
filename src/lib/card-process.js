// Draws one card or icon in a process of its own, as picture-process.js redraws pictures. Titles and names come from
// members: they are only ever drawn as text, and the drawings around them are ours.

import { setPriority } from 'node:os';
import sharp from 'sharp';

const [WIDTH, HEIGHT] = [1200, 630];
const MARGIN = 80;
const ROOM = WIDTH - 2 * MARGIN;
const [TITLE_TOP, TITLE_HEIGHT] = [176, 290];
const TITLE_SIZES = [84, 72, 62, 54, 48, 42, 38];
const LINE_HEIGHT = 100;
const [INK, SOFT] = ['#2a2622', '#6b625a'];
// Letters that our own fonts don't have come from those of the machine.
const OTHERS = 'Noto Serif CJK SC, Source Han Serif SC, Noto Serif, DejaVu Serif, Liberation Serif, serif';
const FONT = `Portico Serif, Portico Chinese, ${OTHERS}`;
// Quotation marks are those of the other letters.
const CHINESE_FONT = `Portico Chinese, Portico Serif, ${OTHERS}`;

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadSvgBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});

try {
  setPriority(10);
} catch {
  // Some systems don't allow it.
}

process.once('message', async (message) => {
  try {
    process.send({ image: await ('side' in message ? icon(message) : card(message)) });
  } catch {
    process.send({ problem: 'too_costly' });
  }
});
// An ordinary exit would wait for the drawing.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function card({ title, line, place, author, avatar, mark, paper, accent }) {
  const titleLayers = await words(title, {
    sizes: TITLE_SIZES,
    most: line === undefined ? TITLE_HEIGHT : TITLE_HEIGHT - LINE_HEIGHT,
    top: TITLE_TOP,
    weight: 'Semi-Bold',
  });
  const lineTop = titleLayers.length === 0 ? TITLE_TOP : titleLayers[0].end + 44;
  const layers = [
    { input: Buffer.from(ground(accent)) },
    { input: await fitted(mark, 52), left: MARGIN, top: 70 },
    ...(await words(place, { sizes: [34], most: 60, width: ROOM - 72, left: MARGIN + 72, middle: 96 })),
    ...titleLayers,
    ...(await words(line, { sizes: [36], most: LINE_HEIGHT, top: lineTop, colour: SOFT })),
  ];
  const left = avatar === undefined ? MARGIN : MARGIN + 92;
  if (avatar !== undefined) layers.push({ input: await round(avatar, 72), left: MARGIN, top: 500 });
  layers.push(
    ...(await words(author, { sizes: [34], most: 60, width: WIDTH - left - 300, left, middle: 536 })),
  );
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: paper } })
    .composite(layers.map(({ input, left = 0, top = 0 }) => ({ input, left, top })))
    .png({ palette: true, dither: 0, compressionLevel: 9, effort: 4 })
    .toBuffer();
}

// The arch of the site, large and faint, and a line in the accent below.
function ground(accent) {
  const arch = 'M4 21V11a8 8 0 0 1 16 0v10M9 21v-9a3 3 0 0 1 6 0v9M2 21h20';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <g transform="translate(800 246) scale(18)" fill="none" stroke="${accent}" stroke-width="1.6" opacity="0.09">
      <path d="${arch}"/></g>
    <rect y="${HEIGHT - 12}" width="${WIDTH}" height="12" fill="${accent}"/></svg>`;
}

async function icon({ side, mark, paper, share }) {
  const inner = Math.round(side * share);
  const image = await fitted(mark, inner);
  const edge = Math.floor((side - inner) / 2);
  const ground = { create: { width: side, height: side, channels: 4, background: paper } };
  return sharp(ground)
    .composite([{ input: image, left: edge, top: edge }])
    .png({ compressionLevel: 9 })
    .toBuffer();
}

function fitted(picture, side) {
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  // A drawing is a square of 24 units; 72 units an inch is its own size.
  const options = typeof picture === 'string' ? { density: Math.ceil((72 * side) / 24) } : {};
  return sharp(Buffer.from(picture), options)
    .resize(side, side, { fit: 'contain', background })
    .png()
    .toBuffer();
}

async function round(picture, side) {
  const circle = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><circle
    cx="${side / 2}" cy="${side / 2}" r="${side / 2}"/></svg>`;
  return sharp(await fitted(picture, side))
    .composite([{ input: Buffer.from(circle), blend: 'dest-in' }])
    .png()
    .toBuffer();
}

// The text as a layer, in the largest size in which it has room, or cut off. No layer if it can't be written here.
async function words(
  text = '',
  { sizes, most, top, middle, width = ROOM, left = MARGIN, weight = '', colour = INK },
) {
  let shown = await writable(text);
  if (shown === '') return [];
  const parts = [...graphemes.segment(shown)].map(({ segment }) => segment);
  const settings = { weight, colour, width };
  for (const size of sizes) {
    const image = await written(shown, { ...settings, size });
    if (image.height <= most) return [placed(image)];
  }
  for (let kept = parts.length - 1; kept > 0; kept = Math.floor(kept * 0.8)) {
    shown = `${parts.slice(0, kept).join('').trimEnd()}…`;
    const image = await written(shown, { ...settings, size: sizes.at(-1) });
    if (image.height <= most && image.width <= width) return [placed(image)];
  }
  return [];

  function placed({ data, width: wide, height: high }) {
    const start = top ?? Math.round(middle - high / 2);
    return {
      input: data,
      left: isFromRight(shown) ? left + width - wide : left,
      top: start,
      end: start + high,
    };
  }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

async function written(text, { size, weight, colour, width }) {
  const font = `${/\p{Script=Han}/u.test(text) ? CHINESE_FONT : FONT} ${weight} ${size}px`;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${colour}">${escaped}</span>`,
      font,
      width,
      wrap: 'word-char',
      spacing: Math.round(size * 0.1),
      rgba: true,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function isFromRight(text) {
  const [first = ''] = /\p{L}/u.exec(text) ?? [];
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first);
}

/**
 * Leave out the signs for which no font here has a form, such as an emoji. Empty if letters are among them: half a
 * title is worse than none.
 */
async function writable(text) {
  const clean = text.toWellFormed().replaceAll(/[\p{Cc}\p{Co}\uFFF0-\uFFFF]/gu, '');
  const characters = new Set(
    clean.match(/[^\p{M}\p{White_Space}\p{Default_Ignorable_Code_Point}\x21-\x7E]/gu),
  );
  const missing = new Set();
  for (const character of characters) if (await isMissing(character)) missing.add(character);
  if ([...missing].some((character) => /[\p{L}\p{N}]/u.test(character))) return '';
  const parts = [...graphemes.segment(clean)].map(({ segment }) => segment);
  return parts
    .filter((part) => ![...part].some((character) => missing.has(character)))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

// In place of a missing form, Pango draws a frame with the character's number of four or six digits in it. No font has
// forms for these two.
const NEVER_THERE = ['\u0378', '\u{10FFFD}'];
let frames;

async function isMissing(character) {
  frames ??= await Promise.all(NEVER_THERE.map(edgeOf));
  return frames.includes(await edgeOf(character));
}

const EDGE = 4;

async function edgeOf(character) {
  const { data, info } = await sharp({ text: { text: character, font: `${FONT} 60px`, rgba: true } })
    .extractChannel(3)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const isOnEdge = (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    return Math.min(x, width - 1 - x, y, height - 1 - y) < EDGE;
  };
  return `${width} ${data.filter(isOnEdge).join()}`;
}
