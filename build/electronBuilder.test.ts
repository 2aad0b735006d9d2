/** The configuration of the packages. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CHOOSE_FILE } from '../electron/desktop/fileArgument.ts';
import { APP_ID } from '../electron/desktop/names.ts';
import { removeTestFolder } from '../electron/files/testing/removeTestFolder.ts';
import texts from '../languages/en.json' with { type: 'json' };
import manifest from '../package.json' with { type: 'json' };
import { desktopNames } from './desktopNames.mjs';
import packaging from './electron-builder.mjs';

afterEach(() => vi.unstubAllEnvs());

describe('the Electron of a package', () => {
  it('must match the hash in the npm package, for every system and processor of a release', () => {
    vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', undefined);
    const { electronDownload } = packaging();
    const machines = ['linux', 'darwin', 'win32'].flatMap((system) =>
      ['x64', 'arm64'].map((processor) => `${system}-${processor}`),
    );
    for (const machine of machines) {
      const file = `electron-v${manifest.devDependencies.electron}-${machine}.zip`;
      expect(electronDownload).toHaveProperty(['checksums', file], expect.stringMatching(/^[0-9a-f]{64}$/));
    }
  });
});

describe('a package and the app in it', () => {
  it('are the same wherever the project lies', () => {
    const here = JSON.stringify(packaging());
    vi.stubEnv('PACKAGE_HOMEPAGE', 'https://example.org/');
    expect(JSON.stringify(packaging())).toBe(here);
  });

  it('have the same id, by which Windows matches shortcuts to the window', () => {
    expect(packaging().appId).toBe(APP_ID);
  });

  it('have the same argument and text for the action of the desktop entry', () => {
    const { Actions } = packaging().linux?.desktop?.entry ?? {};
    const actions = packaging().linux?.desktop?.desktopActions ?? {};
    expect(Actions).toBe(`${Object.keys(actions).join(';')};`);
    const [action] = Object.values(actions);
    expect(action?.Exec).toBe(`wallet-ferry ${CHOOSE_FILE}`);
    expect(Object.keys(texts)).toContain(action?.Name);
  });
});

it('names an action in each language that translates it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-languages-'));
  const catalogues = { en: { Open: 'Open' }, de: { Open: 'Öffnen' }, 'pt-BR': { Open: 'Abrir' }, fr: {} };
  for (const [language, catalogue] of Object.entries(catalogues))
    writeFileSync(join(folder, `${language}.json`), JSON.stringify(catalogue));
  expect(desktopNames('Open', folder)).toEqual({
    Name: 'Open',
    'Name[de]': 'Öffnen',
    'Name[pt_BR]': 'Abrir',
  });
  await removeTestFolder(folder);
});
