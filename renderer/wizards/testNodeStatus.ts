/** For tests: a node of a release in good order, up to date, on this computer. */
import type { NodeStatus } from '../../shared/model.ts';

export const testNodeStatus: NodeStatus = {
  label: 'node',
  address: { host: '127.0.0.1', port: 8332, tls: false },
  local: true,
  offline: false,
  network: 'main',
  release: { number: 280_100, text: '28.1', migrates: 'yes', loadsLegacy: true },
  subversion: '/Satoshi:28.1.0/',
  blocks: 925_000,
  headers: 925_000,
  syncProgress: 1,
  initialBlockDownload: false,
  pruned: false,
  pruneHeight: null,
  blockFilters: 'off',
  logPath: null,
  walletsFolder: null,
  warnings: [],
};
