/** Makes the rescan in recorded log lines a long one. */
import { withoutStamp } from './nodeLog.ts';
import type { Rescan } from './scenario.ts';

/** One line of the log, and how it is written. */
export interface PlayedLine {
  text: string;
  /** Milliseconds to wait before it; where undefined, its share of what the call takes. */
  waitMs?: number;
  /** The node stands still after it until it is let go. */
  hold?: boolean;
}

/**
 * The same lines with a rescan of the whole chain, of `height` blocks, for the first wallet that is loaded in
 * them. Forms of `CWallet::ScanForWalletTransactions` (src/wallet/wallet.cpp), as recorded; release 23 does not
 * name the variant.
 */
export function withRescan(
  lines: readonly string[],
  { rescan, height, release }: { rescan: Rescan | undefined; height: number; release: number },
): PlayedLine[] {
  const plain = lines.map((line) => ({ text: withoutStamp(line) }));
  if (!rescan) return plain;
  // A migration loads the legacy wallet first; the rescan comes when the migrated one is loaded.
  const converted = plain.findIndex(({ text }) => text.endsWith('Wallet migration complete.'));
  const loaded = plain.findIndex(
    ({ text }, index) => index > converted && text.includes('Wallet completed loading'),
  );
  if (loaded < 0) return plain;
  const label = /^\[.*\](?= Wallet completed)/.exec(plain[loaded]?.text ?? '')?.[0] ?? '';
  const variant = rescan.fast ? 'fast variant using block filters' : 'slow variant inspecting all blocks';
  const { hold = false, shares } = rescan;
  const held = typeof hold === 'boolean' ? (hold ? [shares.length - 1] : []) : hold;
  const waitMs = rescan.ms / (rescan.shares.length + 1);
  const announced = plain.findIndex(({ text }, index) => index > loaded && text === ANNOUNCED);
  const recorded = ({ text }: PlayedLine, index: number) =>
    index === announced || (index > loaded && text.startsWith(`${label} Rescan`));
  return [
    ...plain.slice(0, loaded + 1),
    { text: ANNOUNCED },
    { text: `${label} Rescanning last ${height} blocks (from block 0)...` },
    { text: `${label} Rescan started from block ${GENESIS}...${release < 240000 ? '' : ` (${variant})`}` },
    ...rescan.shares.map((share, index) => ({
      text: `${label} Still rescanning. At block ${Math.round(share * height)}. Progress=${share.toFixed(6)}`,
      waitMs,
      hold: held.includes(index),
    })),
    { text: `${label} Rescan completed in ${String(rescan.ms).padStart(15)}ms`, waitMs },
    ...plain.filter((line, index) => index > loaded && !recorded(line, index)),
  ];
}

const ANNOUNCED = 'init message: Rescanning…';
/** The first block of regtest. */
const GENESIS = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206';
