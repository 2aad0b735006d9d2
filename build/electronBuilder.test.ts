/** The configuration of the packages. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { APP_ID } from '../electron/desktop/constants.ts';
import { CHOOSE_FILE } from '../electron/desktop/fileArgument.ts';
import { removeTestFolder } from '../electron/files/testing/removeTestFolder.ts';
import texts from '../languages/en.json' with { type: 'json' };
import manifest from '../package.json' with { type: 'json' };
import { desktopNames } from './desktopNames.mjs';
import packaging from './electron-builder.mjs';
import { missingSignature } from './signing.mjs';
import { root } from './system.mjs';

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

const KEYS = ['CSC_LINK', 'CSC_NAME', 'WIN_CSC_LINK', 'APPLE_API_KEY', 'APPLE_ID', 'APPLE_KEYCHAIN_PROFILE'];
const noKeys = () => {
  for (const key of KEYS) vi.stubEnv(key, undefined);
};

describe('the packages of macOS', () => {
  it('need no certificate, and then have a signature of nobody, without the hardened runtime', () => {
    noKeys();
    expect(packaging().mac).toMatchObject({ identity: '-', hardenedRuntime: false, notarize: false });
    expect(missingSignature('darwin', process.env)).toContain('CSC_LINK');
  });

  it('are hardened with a certificate, and notarised with an account', () => {
    noKeys();
    vi.stubEnv('CSC_LINK', 'certificate.p12');
    const signed = packaging().mac;
    expect(signed).toMatchObject({ hardenedRuntime: true, notarize: false });
    expect(signed).not.toHaveProperty('identity');
    expect(missingSignature('darwin', process.env)).toContain('APPLE_ID');
    vi.stubEnv('APPLE_ID', 'ana@example.org');
    expect(packaging().mac).toMatchObject({ hardenedRuntime: true, notarize: true });
    expect(missingSignature('darwin', process.env)).toBeNull();
  });

  it('may write code while they run, as the page’s engine must, and nothing else', () => {
    const { entitlements = '', entitlementsInherit } = packaging().mac ?? {};
    expect(entitlementsInherit).toBe(entitlements);
    const granted = readFileSync(join(root, entitlements ?? ''), 'utf8').matchAll(/<key>(.+)<\/key>/g);
    expect([...granted].map(([, key]) => key)).toEqual(['com.apple.security.cs.allow-jit']);
  });

  it('offer the app for wallets and backups, but not as the default', () => {
    expect(packaging().mac?.fileAssociations).toMatchObject([
      { ext: ['bak', 'dat'], role: 'Viewer', rank: 'Alternate' },
    ]);
  });
});

describe('the packages of Windows', () => {
  it('say that they are not signed without a certificate', () => {
    noKeys();
    expect(missingSignature('win32', process.env)).toContain('WIN_CSC_LINK');
    vi.stubEnv('WIN_CSC_LINK', 'certificate.pfx');
    expect(missingSignature('win32', process.env)).toBeNull();
  });

  it('install for one user, who needs no rights for it', () => {
    expect(packaging().nsis).toMatchObject({ oneClick: false, perMachine: false });
  });

  it('offer the app for wallets and backups, but not as the default, and take that back', () => {
    const script = readFileSync(join(root, 'build', 'installer.nsh'), 'utf8');
    const [added, removed] = ['WriteReg\\w+', 'DeleteReg\\w+'].map((verb) =>
      [...script.matchAll(new RegExp(`^ *${verb} SHELL_CONTEXT "([^"]+)"`, 'gm'))].map(([, key = '']) => key),
    );
    expect(added?.filter((key) => /\\\.\w+\\/.test(key))).toEqual(
      ['bak', 'dat'].map((ending) => `Software\\Classes\\.${ending}\\OpenWithProgids`),
    );
    const isRemoved = (key: string) => removed?.some((other) => `${key}\\`.startsWith(`${other}\\`));
    expect(added?.filter((key) => !isRemoved(key))).toEqual([]);
  });
});

it('has an icon for each system', () => {
  const { linux, mac, win } = packaging();
  for (const icon of [linux?.icon, mac?.icon, win?.icon])
    expect(existsSync(join(root, 'build', String(icon))), String(icon)).toBe(true);
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
