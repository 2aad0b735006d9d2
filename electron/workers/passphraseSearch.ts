/** Searches a passphrase nearly remembered: all cores, one thread for each few seconds of work; a stop goes on later. */
import { scryptSync } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { bytesToHex } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { FileError } from '../../shared/model/findings/fileError.ts';
import {
  MOST_TRIES,
  type PassphraseCount,
  type PassphraseFound,
  type PassphraseMemory,
} from '../../shared/model/search/passphraseMemory.ts';
import type { SearchProgress } from '../../shared/model/search/searches.ts';
import { count } from '../../shared/model/shapes.ts';
import { removeQuietly } from '../files/durableFile.ts';
import { readJsonFile, tryToWriteJsonFile } from '../files/jsonFile.ts';
import { candidates, countCandidates } from '../recovery/passphrases/candidates.ts';
import { once, orNull } from '../walletfile/bytes/once.ts';
import { timeOfTry } from '../walletfile/keys/crypter.ts';
import type { Encryption } from '../walletfile/records/encryption.ts';
import type { WalletWork } from './walletWork.ts';

interface Search {
  readonly memory: PassphraseMemory;
  readonly goOn: boolean;
  readonly tell: (progress: SearchProgress) => void;
}

/** `dataFolder`: of the app, where it is written down how far a search is. */
export function createPassphraseSearch(work: WalletWork, dataFolder: string, cores = availableParallelism()) {
  const file = join(dataFolder, 'passphrase-search.json');

  function prepared(given: Encryption | null, memory: PassphraseMemory) {
    const encryption = given ?? notEncrypted();
    const secondsEach = timeOfTry(encryption.masterKeys, encryption.samples);
    const { tries, exact } = countCandidates(memory);
    if (tries > MOST_TRIES)
      throw new FileError('beyond_limits', { code: 'too_many_tries', most: MOST_TRIES });
    const place = placeOf(file, encryption, memory, tries);
    const { done, others } = place.read();
    const perSecond = cores / secondsEach;
    const seconds = Math.max(0, tries - done) / perSecond;
    return { encryption, secondsEach, place, count: { tries, exact, done, others, perSecond, seconds } };
  }

  return {
    /**
     * What a search would take. Throws `wallet_wrong_encryption_state` without encryption, `beyond_limits` for more tries
     * than are ever made, and `not_a_wallet` where no key could prove a passphrase.
     */
    count: (encryption: Encryption | null, memory: PassphraseMemory): PassphraseCount =>
      prepared(encryption, memory).count,

    /**
     * Tries one candidate after another; with `goOn` from where an earlier search of the same pieces was stopped. Throws as
     * `count` does, and the signal's reason; how far it was is then written down.
     */
    async run(
      given: Encryption | null,
      { memory, goOn, tell }: Search,
      signal: AbortSignal,
    ): Promise<PassphraseFound> {
      const { encryption, secondsEach, place, count } = prepared(given, memory);
      const { tries } = count;
      const source = candidates(memory);
      const skipped = await skip(source, goOn ? count.done : 0, signal);
      const since = performance.now();
      const ending = new AbortController();
      /** Where the batches begin that are being tried: all before the first of them is done. */
      const begun = new Set<number>();
      let taken = skipped;
      let found: Uint8Array | undefined;
      const tried = () => Math.min(taken, ...begun);

      async function tryBatches(): Promise<void> {
        while (!ending.signal.aborted) {
          const from = taken;
          const seconds = from === skipped ? SECONDS_OF_THE_FIRST : SECONDS_OF_A_BATCH;
          const passphrases = nextOf(source, batchOf(seconds / secondsEach));
          if (passphrases.length === 0) return;
          taken += passphrases.length;
          begun.add(from);
          const at = await work({ kind: 'tryPassphrases', task: { encryption, passphrases } }, ending.signal);
          begun.delete(from);
          place.write(tried());
          const perSecond = ((tried() - skipped) / (performance.now() - since)) * 1000 || count.perSecond;
          tell({ done: tried(), total: tries, perSecond, seconds: Math.max(0, tries - tried()) / perSecond });
          if (at === null) continue;
          found = passphrases[at];
          // The other threads have nothing to look for any more.
          ending.abort();
        }
      }

      function stopFor(reason: unknown): void {
        // At once: the program may end before the threads have.
        if (!ending.signal.aborted) place.writeLast(tried());
        ending.abort(reason);
      }
      const leave = () => stopFor(signal.reason);
      signal.addEventListener('abort', leave);
      await Promise.all(Array.from({ length: cores }, () => tryBatches().catch(stopFor)));
      signal.removeEventListener('abort', leave);
      if (found === undefined && ending.signal.aborted) throw ending.signal.reason;
      place.forget();
      return { tried: tried(), found: found === undefined ? null : toldOf(found) };
    },
  };
}

/** A stop loses that much work at most, and each begins a thread. */
const SECONDS_OF_A_BATCH = 5;
/** It is soon known how far it is. */
const SECONDS_OF_THE_FIRST = 1;
/** For files whose tries take no time: a message to a thread stays small. */
const MOST_IN_A_BATCH = 5000;
/** Candidates that are made between two turns of the event loop. */
const A_TURN = 5000;
const WRITE_EVERY_MS = 2000;

/** Leaves out so many, or all that there are; gives how many those were. Throws the signal's reason. */
async function skip(source: Iterator<Uint8Array>, many: number, signal: AbortSignal): Promise<number> {
  for (let skipped = 0; ; skipped += 1) {
    if (skipped % A_TURN === 0) await setImmediate();
    signal.throwIfAborted();
    if (skipped === many || source.next().done) return skipped;
  }
}

function batchOf(tries: number): number {
  return Math.max(1, Math.min(MOST_IN_A_BATCH, Math.round(tries)));
}

function nextOf(source: Iterator<Uint8Array>, most: number): Uint8Array[] {
  const taken: Uint8Array[] = [];
  while (taken.length < most) {
    const next = source.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

/**
 * Where the last search stood, in one file: the salt of the wallet's master key, which the wallet shows anybody, two numbers, and
 * three digits by which the same pieces are known again. Whoever finds the file has next to nothing to try on it: each guess at
 * all the pieces takes longer than a try on the wallet, and one of 4,096 wrong guesses fits, too.
 */
function placeOf(file: string, { masterKeys }: Encryption, memory: PassphraseMemory, tries: number) {
  const salt = bytesToHex(masterKeys[0]?.salt ?? new Uint8Array());
  const pieces = once(() => scryptSync(JSON.stringify(memory), salt, 2, SLOW).toString('hex').slice(0, 3));
  let written = Number.NEGATIVE_INFINITY;
  // The search is worth more than the place where it stands.
  const writeLast = (done: number) => tryToWriteJsonFile(file, { salt, tries, pieces: pieces(), done });
  return {
    /** `others`: the last search of this wallet was of other pieces. */
    read(): { done: number; others: boolean } {
      const kept = readJsonFile(file, keptPlace);
      if (kept?.salt !== salt) return { done: 0, others: false };
      const same = kept.tries === tries && kept.pieces === pieces();
      return { done: same ? kept.done : 0, others: !same };
    },
    write(done: number): void {
      if (performance.now() - written < WRITE_EVERY_MS) return;
      written = performance.now();
      writeLast(done);
    },
    writeLast,
    forget: () => removeQuietly(file),
  };
}

const keptPlace = z.object({ salt: z.string(), tries: count, pieces: z.string(), done: count });

/** 32 MB, and a tenth of a second. */
const SLOW = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 };

function toldOf(found: Uint8Array): NonNullable<PassphraseFound['found']> {
  const text = orNull(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(found));
  return { hex: bytesToHex(found), text };
}

function notEncrypted(): never {
  throw new FileError('wallet_wrong_encryption_state', { code: 'wallet_not_encrypted' });
}
