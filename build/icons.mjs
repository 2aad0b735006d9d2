/**
 * `node build/icons.mjs`: renders the icons of the packages from the two drawings, with Chromium. The icons are committed.
 * Run this after changing a drawing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium, isRoot, root } from './system.mjs';

const folder = join(root, 'build', 'icons');
const drawing = readFileSync(join(root, 'renderer', 'icon.svg'));
/** Aligned with the pixels, because the waves of the other drawing would blur at these sizes. */
const smallDrawing = readFileSync(join(folder, 'small.svg'));
const SMALL_SIZES = [16, 24];
const SIZES = [16, 24, 32, 48, 64, 128, 256, 512];

/** The share of the width that the tile of a macOS icon takes. The rest is a margin. */
const MAC_TILE = 824 / 1024;
/** The entry types with their sizes. Some sizes appear twice, the second time as twice a smaller one. */
const MAC_ENTRIES = /** @type {const} */ ([
  ['icp4', 16],
  ['icp5', 32],
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
]);

const executablePath = findChromium();
if (!executablePath) throw new Error('There is no Chromium to draw with.');
const browser = await chromium.launch({
  executablePath,
  args: isRoot ? ['--no-sandbox'] : [],
});
const page = await browser.newPage();
const pictures = [];
for (const size of SIZES) {
  const png = await picture(size);
  writeFileSync(join(folder, `${size}x${size}.png`), png);
  pictures.push({ size, png });
}
writeFileSync(join(folder, 'icon.ico'), windowsIcon(pictures.filter(({ size }) => size <= 256)));
const macPictures = [];
for (const [type, size] of MAC_ENTRIES) macPictures.push({ type, png: await picture(size, MAC_TILE) });
writeFileSync(join(folder, 'icon.icns'), macIcon(macPictures));
await browser.close();

/**
 * @param {number} size in pixels, both ways
 * @param {number} [tile] the share that is drawn on
 */
async function picture(size, tile = 1) {
  const side = Math.round(size * tile);
  const svg = SMALL_SIZES.includes(size) ? smallDrawing : drawing;
  const source = `data:image/svg+xml;base64,${svg.toString('base64')}`;
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<body style="margin:0;display:grid;place-content:center;height:100vh">
      <img src="${source}" width="${side}" height="${side}" style="display:block"></body>`,
  );
  return page.screenshot({ omitBackground: true });
}

/**
 * The icon format of Windows: a table of pictures, then the pictures.
 * @param {{ size: number, png: Buffer }[]} entries up to 256 pixels
 */
function windowsIcon(entries) {
  const head = Buffer.alloc(6 + 16 * entries.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(entries.length, 4);
  let offset = head.length;
  for (const [index, { size, png }] of entries.entries()) {
    const at = 6 + 16 * index;
    // 0 stands for 256, which does not fit a byte.
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...entries.map(({ png }) => png)]);
}

/**
 * The icon format of macOS: the total length, then each picture after its type and length.
 * @param {{ type: string, png: Buffer }[]} entries
 */
function macIcon(entries) {
  const body = Buffer.concat(entries.map(({ type, png }) => chunk(type, png)));
  return chunk('icns', body);
}

/**
 * @param {string} type four letters
 * @param {Buffer} content
 */
function chunk(type, content) {
  const head = Buffer.alloc(8);
  head.write(type, 'ascii');
  head.writeUInt32BE(content.length + 8, 4);
  return Buffer.concat([head, content]);
}
