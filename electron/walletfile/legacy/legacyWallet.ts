/**
 * A legacy wallet as its file has it: its keys, the chains they are of, and what scripts are its own. The one model for
 * inspecting it, for the preview, for a migration and for the proof of one.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { bytesOf, byteText } from '../bytes/byteText.ts';
import { once } from '../bytes/once.ts';
import { quickHash160 } from '../bytes/quickHash.ts';
import type { KeyOrigin } from '../descriptor/descriptor.ts';
import type { KnownScripts } from '../descriptor/inferDescriptor.ts';
import { hasLegacyRecords, type Of, type RecordsByType } from '../records/recordsByType.ts';
import { flagsOf, hasFlag } from '../records/walletFlags.ts';
import type { Owner, Ownership } from '../script/script.ts';
import { chainStepOf, type HdChain, hasInternalChains, hdChains, isSeed } from './hdChains.ts';
import { type LegacyKey, type LegacyKeys, legacyKeys } from './legacyKeys.ts';
import { legacyScripts } from './legacyScripts.ts';

export type LegacyWallet = ReturnType<typeof legacyWallet>;

/** Never throws: what is damaged is left out. What is dear is worked out when it is first asked for. */
export function legacyWallet(records: RecordsByType) {
  const keys = legacyKeys(records);
  const activeChain = records.one('hdchain');
  const chains = hdChains(records.of('keymeta'), activeChain);
  const bySeed = new Map(chains.map((chain) => [chain.seedHash, chain]));
  const split = hasInternalChains(activeChain);
  const stored = once(() => ({
    scripts: records.of('cscript').map(({ script }) => script),
    // A script that is not watched any more keeps its record, with another byte in it than the character `1`.
    watched: records.of('watchs').flatMap(({ script, watched }) => (watched === 0x31 ? [script] : [])),
  }));
  const scripts = once(() => legacyScripts(keys, stored()));
  // Without what is only watched, what is left is what the wallet can spend.
  const spendable = once(() =>
    stored().watched.length > 0 ? legacyScripts(keys, { ...stored(), watched: [] }).mine : scripts().mine,
  );
  const origins = once(() => originsOf(records.of('keymeta'), keys));
  const flags = flagsOf(records);
  return {
    records,
    keys,
    /** The active one first. */
    chains,
    /** Whether chains have a second one for change. */
    hasInternalChains: split,
    /** The key that a chain was made from, where the file has it. */
    seedOf: ({ seedHash }: HdChain) => keys.ofHash(seedHash),
    /** The chain that a key is of by its metadata, seeds left out. */
    chainOf({ metadata }: LegacyKey): HdChain | undefined {
      if (!metadata?.hd || bySeed.size === 0 || isSeed(metadata)) return undefined;
      return bySeed.get(byteText(metadata.hd.seedId));
    },
    /** Whether a chain's descriptors derive a key of it again, by its metadata and the chain's counters. */
    isCounted({ metadata }: Pick<LegacyKey, 'metadata'>, chain: HdChain): boolean {
      const step = metadata && chainStepOf(metadata);
      if (!step || (step.branch === 1 && !split)) return false;
      return step.index < (step.branch === 1 ? chain.internalCounter : chain.externalCounter);
    },
    of(script: Uint8Array): Owner | null {
      if (keys.ofScript(script)) return 'spendable';
      const hex = bytesToHex(script);
      if (!scripts().mine.has(hex)) return null;
      return spendable().has(hex) ? 'spendable' : 'watched';
    },
    /**
     * Scripts that it knows and does not count: it can help to sign for them, or nobody can spend them. Null where there are
     * none.
     */
    get others(): Ownership | null {
      const { solvable, notMine } = scripts();
      if (solvable.size + notMine.size === 0) return null;
      return {
        of(script) {
          const hex = bytesToHex(script);
          return solvable.has(hex) || notMine.has(hex) ? 'watched' : null;
        },
      };
    },
    /** Scripts that are more than one of its keys. */
    get scripts() {
      return scripts();
    },
    /** All that the file tells of keys and scripts. */
    get known(): KnownScripts {
      return { publicKeys: scripts().publicKeys, scripts: scripts().scripts, origins: origins() };
    },
    /** Bits of `WalletFlags`. */
    flags,
    /** Whether it is to have no private keys. */
    watchesOnly: hasFlag(flags, 'disable_private_keys'),
    /** Whether it has any record that descriptor wallets do not have. */
    isLegacy: hasLegacyRecords(records),
  };
}

/**
 * Where a key says that it comes from: as its metadata tells, from itself where that says nothing. `hash` is the
 * `byteText` of its hash160. Source: `LegacyDataSPKM::GetKeyOrigin`.
 */
export function originOf(hash: string, { origin }: Of<'keymeta'>): KeyOrigin {
  if (origin?.known) return { fingerprint: bytesToHex(origin.fingerprint), path: origin.path };
  return { fingerprint: bytesToHex(bytesOf(hash.slice(0, 4))), path: [] };
}

/** By the `byteText` of the key's hash160. */
function originsOf(metadata: readonly Of<'keymeta'>[], keys: LegacyKeys): Map<string, KeyOrigin> {
  return new Map(
    metadata.map((record) => {
      const hash = keys.ofPublicKey(record.publicKey)?.hash ?? quickHash160(record.publicKey);
      return [hash, originOf(hash, record)];
    }),
  );
}
