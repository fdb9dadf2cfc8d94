// The name of a program from its User-Agent, as short as a person would say it: "Firefox on Linux", "curl".

const LONGEST = 40;

// In this order, because most browsers also carry the names of others.
const BROWSERS: readonly [name: string, mark: RegExp][] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['WeChat', /\bMicroMessenger\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|Chromium|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];

const SYSTEMS: readonly [name: string, mark: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Name the program that sent this User-Agent, in at most 40 printable characters. Empty if it sent none. */
export function programName(userAgent: string | undefined): string {
  if (userAgent === undefined) return '';
  const browser = /^Mozilla\//.test(userAgent) ? nameIn(BROWSERS, userAgent) : undefined;
  if (browser === undefined) return productIn(userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  return system === undefined ? browser : `${browser} on ${system}`;
}

function nameIn(names: readonly [string, RegExp][], userAgent: string): string | undefined {
  return names.find(([, mark]) => mark.test(userAgent))?.[0];
}

// RFC 9110 §10.1.5: products, the most significant first. Versions change too often to tell programs apart.
function productIn(userAgent: string): string {
  const [product = ''] = userAgent
    .replace(/[^\x21-\x7e ]/g, '')
    .trimStart()
    .split(/[/ (]/, 1);
  return product.slice(0, LONGEST);
}
