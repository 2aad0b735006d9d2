/** For tests: a local, synced node of release 28.1, with the test's changes. */
import { identityOf, type NodeIdentity, type NodeStatus, type Release } from '../model/node.ts';

/** A release that neither loads nor restores a legacy wallet. */
export const release31: Release = { number: 310_000, text: '31.0', migrates: 'yes', loadsLegacy: false };

/** The identity of the sample node. */
export function sampleIdentity(change: Partial<NodeIdentity> = {}): NodeIdentity {
  return { ...identityOf(sampleNodeStatus()), ...change };
}

export function sampleNodeStatus(change: Partial<NodeStatus> = {}): NodeStatus {
  return {
    label: 'node',
    address: { host: '127.0.0.1', port: 8332, tls: false },
    local: true,
    offline: false,
    network: 'main',
    release: { number: 280_100, text: '28.1', migrates: 'yes', loadsLegacy: true },
    blocks: 925_000,
    headers: 925_000,
    syncProgress: 1,
    initialBlockDownload: false,
    pruned: false,
    pruneHeight: null,
    blockFilters: 'off',
    logPath: null,
    reportedLogPath: null,
    started: null,
    startedSteady: null,
    listener: null,
    walletsFolder: null,
    walletsFolderMark: null,
    warnings: [],
    ...change,
  };
}
