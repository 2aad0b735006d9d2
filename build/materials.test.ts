/** Where the packages of npm come from, and the list of those that the app is made of. */
import { describe, expect, it } from 'vitest';
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
  it('binds each package to its bytes by a SHA-512', () => {
    expect(packages.length).toBeGreaterThan(300);
    const unbound = packages.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
    expect(unbound.map(([path]) => path)).toEqual([]);
  });

  it('takes every package from the registry, and none from an address, a folder or a repository', () => {
    const origins = ['resolved', 'link', 'inBundle', 'extraneous'];
    const elsewhere = packages.filter(([, entry]) => origins.some((origin) => origin in entry));
    expect(elsewhere.map(([path]) => path)).toEqual([]);
    expect(packages.filter(([, { version = '' }]) => !/^\d+\.\d+\.\d+/.test(version))).toEqual([]);
  });

  it('is of the package.json beside it, which names one version of each', () => {
    const { dependencies, devDependencies } = manifest;
    expect(ours).toMatchObject({ version: manifest.version, dependencies, devDependencies });
    const versions = Object.values({ ...dependencies, ...devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });
});

describe('the list of what the app is made of', () => {
  const list = materials();

  it('names each bundled library and Electron, with the hash that the lock file binds it to', () => {
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

  it('is the same each time, and names no address', () => {
    expect(materials()).toEqual(list);
    expect(JSON.stringify({ ...list, $schema: '' })).not.toContain('://');
  });
});
