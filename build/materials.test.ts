/** The origin of npm's packages, and the app's bill of materials. */
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import lock from '../package-lock.json' with { type: 'json' };
import { materials } from './materials.mjs';

interface LockEntry {
  version?: string;
  integrity?: string;
  dev?: boolean;
}
const { '': ours, ...entries }: Record<string, LockEntry> = lock.packages;
const packages = Object.entries(entries);

describe('the lock file', () => {
  it('pins each package by a SHA-512', () => {
    expect(packages.length).toBeGreaterThan(300);
    const unbound = packages.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
    expect(unbound.map(([path]) => path)).toEqual([]);
  });

  it('gets every package from the registry, and none from a URL, a folder or a repository', () => {
    const origins = ['resolved', 'link', 'inBundle', 'extraneous'];
    const elsewhere = packages.filter(([, entry]) => origins.some((origin) => origin in entry));
    expect(elsewhere.map(([path]) => path)).toEqual([]);
    expect(packages.filter(([, { version = '' }]) => !/^\d+\.\d+\.\d+/.test(version))).toEqual([]);
  });

  it('matches package.json, which names exact versions', () => {
    const { dependencies, devDependencies } = manifest;
    expect(ours).toMatchObject({ version: manifest.version, dependencies, devDependencies });
    const versions = Object.values({ ...dependencies, ...devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });
});

/** An emulator of Windows has Node without npm. */
const HAS_NPM = process.platform !== 'win32' || spawnSync('npm --version', { shell: true }).status === 0;

describe.skipIf(!HAS_NPM)('the bill of materials', () => {
  let list: ReturnType<typeof materials>;
  beforeAll(() => {
    list = materials();
  });

  it('lists each bundled library and Electron, with the hash of the lock file', () => {
    const expected = packages
      .filter(([path, { dev = false }]) => !dev || path === 'node_modules/electron')
      .map(([path, { version, integrity = '' }]) => [
        `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`,
        Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex'),
      ]);
    const { components, metadata, dependencies } = list;
    expect(components.map((each) => [each['bom-ref'], each.hashes[0]?.content]).sort()).toEqual(
      expected.sort(),
    );
    const app = dependencies.find(({ ref }) => ref === metadata.component['bom-ref']);
    const used = [...Object.entries(manifest.dependencies), ['electron', manifest.devDependencies.electron]];
    expect(app?.dependsOn).toEqual(expect.arrayContaining(used.map((parts) => parts.join('@'))));
  });

  it('is the same each time, and contains no URL', () => {
    expect(materials()).toEqual(list);
    expect(JSON.stringify({ ...list, $schema: '' })).not.toContain('://');
  });
});
