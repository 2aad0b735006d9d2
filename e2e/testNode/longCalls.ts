/** The long calls, restore, load and migrate, with their changes to the disk and the log. */

import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { migrateWallet as migrateFile } from '../../electron/walletfile/migrate/migrateWallet.ts';
import { nowSeconds, substitute } from './names.ts';
import { withoutStamp } from './nodeLog.ts';
import type { NodeState } from './nodeState.ts';
import type { Exchange, Reply } from './recording.ts';
import type { Rescan } from './scenario.ts';
import { type FixtureName, factsAfterMigration, type Part } from './walletFixture.ts';

/** Answers `restorewallet`. Never resolves if the node is killed meanwhile. */
export async function restoreWallet(
  state: NodeState,
  name: string,
  backupFile: string,
  loadOnStartup: boolean | null,
): Promise<Reply> {
  const { recording, wallets, scenario } = state;
  const recorded = (id: string, from: string) => state.recorded(id, from, name);
  if (!existsSync(backupFile)) return recorded('restore-no-such-backup', 'nope');
  if (name === '' && recording.has('restore-empty-name')) return recorded('restore-empty-name', '');
  if (wallets.exists(name)) return recorded('restore-exists', 'restored');
  if (scenario.readOnlyWallets) {
    const message = `Unexpected exception: filesystem error: cannot create directories: Permission denied [${dirname(wallets.file(name))}]`;
    return { error: { code: -4, message } };
  }
  wallets.place(name, backupFile);
  const kind = wallets.kind(name);
  const id =
    kind === 'descriptor'
      ? 'restore-positional'
      : kind === 'legacy'
        ? 'restore-legacy'
        : kind === 'truncated'
          ? 'restore-truncated'
          : 'restore-not-a-wallet';
  const from = RESTORED_AS[id];
  await play(state, recording.exchange(id), { from, to: name, long: true });
  const reply = recorded(id, from);
  if ('error' in reply) {
    wallets.remove(name);
    return reply;
  }
  wallets.loaded.push(name);
  state.setLoadOnStartup(name, loadOnStartup);
  if (!scenario.restoreWarnings) return reply;
  const warnings = [...scenario.restoreWarnings];
  return { result: recording.number < 250000 ? { name, warning: warnings.join('\n') } : { name, warnings } };
}

/** The names of the restored wallets in the recording. */
const RESTORED_AS = {
  'restore-positional': 'restored',
  'restore-legacy': 'restored-legacy',
  'restore-truncated': 'truncated',
  'restore-not-a-wallet': 'notwallet',
} as const;

/** Answers `loadwallet`. For a missing wallet, releases 25 to 29 use the recording of 23. */
export async function loadWallet(state: NodeState, name: string): Promise<Reply> {
  const { recording, wallets } = state;
  if (!wallets.exists(name)) {
    return recording.number < 300000
      ? state.borrowed('23.0', 'loadwallet-legacy', 'legacy-hd', name)
      : state.recorded('load-legacy', 'restored-legacy', name);
  }
  if (wallets.loaded.includes(name)) return state.recorded('loadwallet-again', 'restored-null', name);
  const legacy = wallets.kind(name) === 'legacy';
  if (legacy && recording.number >= 300000) return state.recorded('restore-legacy', 'restored-legacy', name);
  // For 23, only the restore of a legacy wallet was recorded. Loading one replies and logs the same.
  const id = !legacy ? 'loadwallet' : recording.number < 250000 ? 'restore-legacy' : 'loadwallet-legacy';
  const from = !legacy ? 'restored-null' : id === 'restore-legacy' ? 'restored-legacy' : 'legacy-hd';
  await play(state, recording.exchange(id), { from, to: name, long: false });
  wallets.loaded.push(name);
  return state.recorded(id, from, name);
}

/** Answers `migratewallet`. */
export async function migrateWallet(
  state: NodeState,
  name: string,
  { passphrase, loads }: { passphrase: string | undefined; loads: boolean },
): Promise<Reply> {
  const { recording, wallets } = state;
  if (!wallets.exists(name)) return state.recorded('migrate-unknown', 'nosuchwallet', name);
  if (wallets.kind(name) !== 'legacy') return state.recorded('migrate-already-descriptor', 'restored', name);
  if (state.scenario.readOnlyWallets) {
    return { error: { code: -4, message: 'Error: Unable to make a backup of your wallet' } };
  }
  const facts = wallets.facts(name);
  if (facts === null || facts.fixture === null) throw new Error(`The migration of ${name} was not recorded.`);
  const fixture = facts.fixture;
  const wasLoaded = wallets.loaded.includes(name);
  wallets.loaded = wallets.loaded.filter((loaded) => loaded !== name);

  const right = facts.passphrase === null || passphrase === facts.passphrase;
  const wrong =
    passphrase === undefined ? 'migrate-encrypted-no-passphrase' : 'migrate-encrypted-wrong-passphrase';
  const id = right ? (loads ? MIGRATED_IN : MIGRATED_UNLOADED_IN)[fixture] : wrong;
  if (id === undefined) throw new Error(`The migration of ${fixture} was not recorded.`);
  const exchange = recording.exchange(id);
  const time = nowSeconds();
  const from = loads ? fixture : (UNLOADED_NAMES[fixture] ?? fixture);
  const reply = state.recorded(id, from, name, time);
  const parts = 'result' in reply ? partsOf(reply.result) : [];
  const files =
    right && !state.scenario.losesOnMigration
      ? await migrateInApp(wallets.file(name), name, passphrase)
      : NO_FILES;
  await play(state, exchange, {
    from,
    to: name,
    time,
    long: right,
    onLine: (line) => onMigrationLine(state, { line, name, fixture, parts, files }),
  });
  if ('error' in reply) {
    if (wasLoaded) wallets.loaded.push(name);
    return reply;
  }
  for (const { name: created, part } of parts) {
    if (!loads) break;
    wallets.loaded.push(created);
    if (part !== 'wallet_name') state.setLoadOnStartup(created, true);
  }
  return reply;
}

/** The exchange that migrates each fixture. */
const MIGRATED_IN: Partial<Record<FixtureName, string>> = {
  'legacy-hd': 'migrate-positional',
  'legacy-hd-encrypted': 'migrate-encrypted',
  'legacy-blank': 'migrate-endpoint-no-arguments',
  'legacy-nokeys': 'migrate-endpoint-same-name',
  'legacy-watchonly': 'migrate-watchonly',
  'legacy-solvable': 'migrate-solvable',
  'legacy-imported': 'migrate-imported',
};

/** The exchange that migrates each fixture without loading the new wallets. */
const MIGRATED_UNLOADED_IN: Partial<Record<FixtureName, string>> = {
  'legacy-hd': 'migrate-load-wallet-false',
  'legacy-watchonly': 'migrate-load-wallet-false-positional',
};
/** The names of the fixtures in those exchanges. */
const UNLOADED_NAMES: Partial<Record<FixtureName, string>> = {
  'legacy-hd': 'quiet',
  'legacy-watchonly': 'quiet-watch',
};

type MigratedFiles = Record<Part, Uint8Array | null>;
const NO_FILES: MigratedFiles = { wallet_name: null, watchonly_name: null, solvables_name: null };

/** Creates the files with the app's own migration: of a node's migrations only the answers were recorded, not the files. */
async function migrateInApp(
  file: string,
  name: string,
  passphrase: string | undefined,
): Promise<MigratedFiles> {
  const { primary, watchonly, solvables } = await migrateFile({
    bytes: readFileSync(file),
    network: 'regtest',
    name,
    now: nowSeconds(),
    // Fewer than a node keeps, to save time.
    keypoolSize: 20,
    ...(passphrase === undefined ? {} : { passphrase }),
  });
  return {
    wallet_name: primary?.bytes ?? null,
    watchonly_name: watchonly?.bytes ?? null,
    solvables_name: solvables?.bytes ?? null,
  };
}

interface MigratedPart {
  part: Part;
  name: string;
}

function partsOf(result: unknown): MigratedPart[] {
  if (typeof result !== 'object' || result === null) return [];
  const named = new Map<string, unknown>(Object.entries(result));
  const parts: MigratedPart[] = [];
  for (const part of ['wallet_name', 'watchonly_name', 'solvables_name'] as const) {
    const name = named.get(part);
    if (typeof name === 'string') parts.push({ part, name });
  }
  return parts;
}

/** Changes the disk as the node has done by the time it logs this line. */
function onMigrationLine(
  { wallets, recording }: NodeState,
  {
    line,
    name,
    fixture,
    parts,
    files,
  }: { line: string; name: string; fixture: FixtureName; parts: MigratedPart[]; files: MigratedFiles },
): void {
  const copied = /^copied .*? to ([^ ]*[/\\].*\.legacy\.bak)$/.exec(line)?.[1];
  if (copied !== undefined) {
    mkdirSync(dirname(copied), { recursive: true });
    copyFileSync(wallets.file(name), copied);
  }
  const created = line.includes('containing the watched scripts')
    ? 'watchonly_name'
    : line.includes('containing the unwatched solvable scripts')
      ? 'solvables_name'
      : line.endsWith('Wallet migration complete.')
        ? 'wallet_name'
        : null;
  for (const { part, name: wallet } of parts) {
    if (part !== created) continue;
    wallets.placeMigrated(wallet, factsAfterMigration(fixture, recording.release, part), files[part]);
  }
}

interface Play {
  from: string;
  to: string;
  time?: number;
  /** Whether the scenario's rescan and `holdAt` apply. */
  long: boolean;
  onLine?: (line: string) => void;
}

/** Writes an exchange's log lines, spread over the time the call takes. */
async function play(
  state: NodeState,
  exchange: Exchange,
  { from, to, time = nowSeconds(), long, onLine }: Play,
): Promise<void> {
  const { scenario, recording, log, life } = state;
  const lines = withRescan(exchange.log, {
    rescan: long ? scenario.rescan : undefined,
    height: state.height,
    release: recording.number,
  });
  const share = (scenario.callMs ?? 300) / (lines.length + 1);
  const substitution = { dataFolder: state.dataFolder, from, to, time };
  for (const { text, waitMs, hold } of lines) {
    await life.wait(waitMs ?? share);
    const line = substitute(text, substitution);
    if (long && scenario.holdAt !== undefined && line.includes(scenario.holdAt)) await life.pause();
    onLine?.(line);
    log.write(line);
    if (hold) await life.pause();
  }
  await life.wait(share);
}

/** One log line to write. */
interface PlayedLine {
  text: string;
  /** Milliseconds to wait before the line. Default: an equal share of the call's time. */
  waitMs?: number;
  /** Whether the node pauses after the line. */
  hold?: boolean;
}

/**
 * Adds a rescan of the whole chain, `height` blocks long, for the first wallet that these lines load. The lines are
 * those of `CWallet::ScanForWalletTransactions` (src/wallet/wallet.cpp), as recorded. Release 23 does not name the variant.
 */
function withRescan(
  lines: readonly string[],
  { rescan, height, release }: { rescan: Rescan | undefined; height: number; release: number },
): PlayedLine[] {
  const plain = lines.map((line) => ({ text: withoutStamp(line) }));
  if (!rescan) return plain;
  // A migration loads the legacy wallet first, but rescans only the migrated one.
  const converted = plain.findIndex(({ text }) => text.endsWith('Wallet migration complete.'));
  const loaded = plain.findIndex(
    ({ text }, index) => index > converted && text.includes('Wallet completed loading'),
  );
  if (loaded < 0) return plain;
  const label = /^\[.*\](?= Wallet completed)/.exec(plain[loaded]?.text ?? '')?.[0] ?? '';
  const variant = release < 240000 ? '' : ' (slow variant inspecting all blocks)';
  const { hold = false, shares } = rescan;
  const waitMs = rescan.ms / (shares.length + 1);
  const announced = plain.findIndex(({ text }, index) => index > loaded && text === ANNOUNCED);
  const recorded = ({ text }: PlayedLine, index: number) =>
    index === announced || (index > loaded && text.startsWith(`${label} Rescan`));
  return [
    ...plain.slice(0, loaded + 1),
    { text: ANNOUNCED },
    { text: `${label} Rescanning last ${height} blocks (from block 0)...` },
    { text: `${label} Rescan started from block ${GENESIS}...${variant}` },
    ...shares.map((share, index) => ({
      text: `${label} Still rescanning. At block ${Math.round(share * height)}. Progress=${share.toFixed(6)}`,
      waitMs,
      hold: hold && index === shares.length - 1,
    })),
    { text: `${label} Rescan completed in ${String(rescan.ms).padStart(15)}ms`, waitMs },
    ...plain.filter((line, index) => index > loaded && !recorded(line, index)),
  ];
}

const ANNOUNCED = 'init message: Rescanning…';
/** The first block of regtest. */
const GENESIS = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206';
