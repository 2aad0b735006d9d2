/** A host without a desktop, a key store or an engine. */
import type { Host } from '../../electron/backend/host.ts';

export const headless: Host = {
  entry: 'browser',
  secrets: {
    available: () => false,
    encrypt: () => Promise.reject(new Error('No secrets here.')),
    decrypt: () => Promise.reject(new Error('No secrets here.')),
  },
  canShowInFolder: () => false,
  showInFolder: () => Promise.resolve(),
  pickFile: () => Promise.resolve(null),
  startEngine: () => {
    throw new Error('No engine here.');
  },
};
