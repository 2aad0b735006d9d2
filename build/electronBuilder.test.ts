/** How the app is packed. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import packaging from './electron-builder.mjs';

afterEach(() => vi.unstubAllEnvs());

describe('the Electron of a package', () => {
  it('is held to the hash in the npm package, on every system and processor of a release', () => {
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
