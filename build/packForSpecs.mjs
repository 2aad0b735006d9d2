/** Packs the app for its end-to-end specs: as it ships, and as a twin to which Playwright can attach. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { packApp } from './package.mjs';

/**
 * Packs both. The twin differs in one fuse: a debugger can attach to its main process, through which the specs answer the
 * system's dialogs. The app must be built.
 * @param {string} output the folder to pack into
 * @returns {Promise<Record<string, string>>} the environment variables that name both programs
 */
export async function packForSpecs(output) {
  const folder = await packApp(join(output, 'shipped'));
  const twin = join(output, 'attachable');
  cpSync(folder, twin, { recursive: true, verbatimSymlinks: true });
  const attachable = programIn(twin);
  await flipFuses(attachable, {
    version: FuseVersion.V1,
    resetAdHocDarwinSignature: process.platform === 'darwin',
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
  return { PACKAGED_APP: programIn(folder), ATTACHABLE_APP: attachable };
}

/** @param {string} folder */
function programIn(folder) {
  if (process.platform === 'darwin') return join(folder, 'Wallet Ferry.app/Contents/MacOS/Wallet Ferry');
  return join(folder, process.platform === 'win32' ? 'Wallet Ferry.exe' : 'wallet-ferry');
}
