import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { NodeIdentity } from '../../shared/model/node.ts';
import { USUAL_SETTINGS } from '../../shared/model/settings.ts';
import { createSettings } from './settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const node: NodeIdentity = {
  address: { host: '127.0.0.1', port: 8332, tls: false },
  ...{ network: 'main', offline: false, release: 310000, walletsFolder: null, walletsFolderMark: null },
  ...{ logTold: null, started: null, listener: null },
};

it('start with the defaults and keep changes', () => {
  const settings = createSettings(folder);
  expect(settings.current()).toEqual(USUAL_SETTINGS);
  expect(settings.lastNode()).toBeNull();
  settings.change({ ...USUAL_SETTINGS, theme: 'dark' });
  expect(settings.current().theme).toBe('dark');
  settings.rememberNode(node);
  const again = createSettings(folder);
  expect(again.current()).toEqual({ ...USUAL_SETTINGS, theme: 'dark' });
  expect(again.lastNode()).toEqual(node);
  again.rememberNode(null);
  expect(createSettings(folder).lastNode()).toBeNull();
});

it('fall back to the defaults for a damaged file', () => {
  const file = join(folder, 'settings.json');
  writeFileSync(file, 'no json');
  expect(createSettings(folder).current()).toEqual(USUAL_SETTINGS);
  writeFileSync(file, JSON.stringify({ theme: 'pink', notifications: false, node: { address: 1 } }));
  expect(createSettings(folder).current()).toEqual({ ...USUAL_SETTINGS, notifications: false });
  expect(createSettings(folder).lastNode()).toBeNull();
});

it('throw if the file cannot be written, but still apply', () => {
  writeFileSync(join(folder, 'a file'), '');
  const settings = createSettings(join(folder, 'a file'));
  expect(() => settings.change({ ...USUAL_SETTINGS, theme: 'light' })).toThrow();
  expect(settings.current().theme).toBe('light');
  settings.rememberNode(node);
  expect(settings.lastNode()).toEqual(node);
});
