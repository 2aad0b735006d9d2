/** The page's files and their security headers, the same for both entries. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { catalogue, currentLocale } from '../../shared/wording/say.ts';

interface PageFile {
  status: 200 | 404;
  headers: Record<string, string>;
  body: Buffer;
}

/** Each load of `index.html` gets a new nonce here, which Mantine's styles carry. */
const NONCE_MARK = '__NONCE__';

/** The texts of the page in the language of this process. */
const LANGUAGE_PATH = '/language.json';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/**
 * Reads the file of the built page at a URL path (`/` is `index.html`). Reads nothing outside `folder`. A missing file
 * answers 404.
 */
export async function pageFile(folder: string, urlPath: string): Promise<PageFile> {
  if (urlPath === LANGUAGE_PATH)
    return answer(200, 'application/json; charset=utf-8', JSON.stringify(catalogue()));
  try {
    const name = urlPath === '/' ? 'index.html' : decodeURIComponent(urlPath);
    const file = normalize(join(folder, name));
    const type = TYPES[extname(file)];
    if (!NAME.test(name) || WINDOWS_DEVICE.test(name)) return notFound();
    if (!file.startsWith(folder + sep) || !type) return notFound();
    const content = await readFile(file);
    const nonce = randomBytes(16).toString('base64');
    const body = type.startsWith('text/html') ? withLanguage(content.toString('utf8'), nonce) : content;
    return answer(200, type, body, nonce);
  } catch {
    return notFound();
  }
}

/** Sets the nonce and the language of this process in the document. */
function withLanguage(html: string, nonce: string): string {
  return html
    .replaceAll(NONCE_MARK, nonce)
    .replace('<html lang="en">', `<html lang="${currentLocale().language}">`);
}

function answer(status: PageFile['status'], type: string, body: Buffer | string, nonce = ''): PageFile {
  const headers = { ...securityHeaders(nonce), 'content-type': type };
  return { status, headers, body: typeof body === 'string' ? Buffer.from(body) : body };
}

function notFound(): PageFile {
  return answer(404, 'text/plain; charset=utf-8', 'Not found');
}

/** Matches the builder's file names, and no name that a file system reads otherwise. */
const NAME = /^[/\w.-]{1,300}$/;
/** These names open a device on Windows, in any folder. */
const WINDOWS_DEVICE = /(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\/|$)/i;

/** The browser features that the page does without. It only writes to the clipboard. */
const NO_DEVICES = [
  'accelerometer',
  'bluetooth',
  'camera',
  'clipboard-read',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'local-fonts',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((name) => `${name}=()`)
  .join(', ');

/**
 * Allows no inline script, no eval and nothing from other origins; styles from the page's files or with this load's
 * nonce. `scripts`: the allowed scripts, by hash if they are not the page's files.
 */
export function securityHeaders(nonce: string, scripts = "'self'"): Record<string, string> {
  const styles = nonce ? `style-src 'self' 'nonce-${nonce}'` : "style-src 'self'";
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src ${scripts}`,
      styles,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': NO_DEVICES,
    'cache-control': 'no-store',
  };
}
