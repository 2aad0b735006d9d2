/** Searches a half-remembered passphrase on all cores, in batches of a few seconds, and resumes a search that was stopped. */
import { scryptSync } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { bytesToHex } from '@noble/hashes/utils.js';
import { z } from 'zod/mini';
import { FileError } from '../../shared/model/findings/fileError.ts';
import type { SearchProgress } from '../../shared/model/searches.ts';
import {
  MAX_TRIES,
  type PassphraseClues,
  type PassphraseEstimate,
  type PassphraseSearchResult,
} from '../../shared/model/searches.ts';
import { count } from '../../shared/model/shapes.ts';
import { readJsonFile, removeQuietly, tryToWriteJsonFile } from '../files/durableFile.ts';
import { candidates, countCandidates } from '../recovery/passphraseCandidates.ts';
import { once, orNull } from '../walletfile/bytes/once.ts';
import { secondsPerTry } from '../walletfile/keys/crypter.ts';
import type { Encryption } from '../walletfile/records/encryption.ts';
import type { WalletWork } from './walletWork.ts';

interface Search {
  readonly clues: PassphraseClues;
  readonly resume: boolean;
  readonly report: (progress: SearchProgress) => void;
}

/** `dataFolder`: the app's, which keeps the progress of the last search. */
export function createPassphraseSearch(work: WalletWork, dataFolder: string, cores = availableParallelism()) {
  const file = join(dataFolder, 'passphrase-search.json');

  function prepare(encryptionOrNull: Encryption | null, clues: PassphraseClues) {
    const encryption = encryptionOrNull ?? notEncrypted();
    const secondsEach = secondsPerTry(encryption.masterKeys, encryption.samples);
    const { tries, exact } = countCandidates(clues);
    if (tries > MAX_TRIES) throw new FileError('beyond_limits', { code: 'too_many_tries', most: MAX_TRIES });
    const progressAt = progressFile(file, encryption, clues, tries);
    const { done, others } = progressAt.read();
    const perSecond = cores / secondsEach;
    const seconds = Math.max(0, tries - done) / perSecond;
    return { encryption, secondsEach, progressAt, count: { tries, exact, done, others, perSecond, seconds } };
  }

  return {
    /**
     * The cost of a search. Throws `wallet_wrong_encryption_state` without encryption, `beyond_limits` for too many tries, and
     * `not_a_wallet` if no key can prove a passphrase.
     */
    count: (encryption: Encryption | null, clues: PassphraseClues): PassphraseEstimate =>
      prepare(encryption, clues).count,

    /**
     * Tries the candidates in order; with `resume`, resumes an earlier search for the same pieces. Throws as `count` does, and the
     * signal's reason after it has saved the progress.
     */
    async run(
      encryptionOrNull: Encryption | null,
      { clues, resume, report }: Search,
      signal: AbortSignal,
    ): Promise<PassphraseSearchResult> {
      const { encryption, secondsEach, progressAt, count } = prepare(encryptionOrNull, clues);
      const { tries } = count;
      const source = candidates(clues);
      const skipped = await skip(source, resume ? count.done : 0, signal);
      const since = performance.now();
      const ending = new AbortController();
      /** The starts of the batches that threads work on. All candidates before the first start are done. */
      const running = new Set<number>();
      let next = skipped;
      let found: Uint8Array | undefined;
      const tried = () => Math.min(next, ...running);

      async function tryBatches(): Promise<void> {
        while (!ending.signal.aborted) {
          const from = next;
          const seconds = from === skipped ? SECONDS_OF_THE_FIRST : SECONDS_OF_A_BATCH;
          const passphrases = nextOf(source, batchOf(seconds / secondsEach));
          if (passphrases.length === 0) return;
          next += passphrases.length;
          running.add(from);
          const at = await work({ kind: 'tryPassphrases', task: { encryption, passphrases } }, ending.signal);
          running.delete(from);
          progressAt.write(tried());
          const perSecond = ((tried() - skipped) / (performance.now() - since)) * 1000 || count.perSecond;
          report({
            done: tried(),
            total: tries,
            perSecond,
            seconds: Math.max(0, tries - tried()) / perSecond,
          });
          if (at === null) continue;
          found = passphrases[at];
          // The other threads can stop.
          ending.abort();
        }
      }

      function stopFor(reason: unknown): void {
        // Save at once: the program may end before the threads do.
        if (!ending.signal.aborted) progressAt.writeLast(tried());
        ending.abort(reason);
      }
      const leave = () => stopFor(signal.reason);
      signal.addEventListener('abort', leave);
      await Promise.all(Array.from({ length: cores }, () => tryBatches().catch(stopFor)));
      signal.removeEventListener('abort', leave);
      if (found === undefined && ending.signal.aborted) throw ending.signal.reason;
      progressAt.forget();
      return { tried: tried(), found: found === undefined ? null : foundText(found) };
    },
  };
}

/** A stop loses at most this much work. Each batch needs a thread. */
const SECONDS_OF_A_BATCH = 5;
/** A short first batch gives an early measure of the speed. */
const SECONDS_OF_THE_FIRST = 1;
/** Bounds the message to a thread if tries are fast. */
const MAX_IN_A_BATCH = 5000;
/** Candidates to generate between two turns of the event loop. */
const A_TURN = 5000;
const WRITE_EVERY_MS = 2000;

/** Skips `many` candidates, or all if there are fewer. Returns their number. Throws the signal's reason. */
async function skip(source: Iterator<Uint8Array>, many: number, signal: AbortSignal): Promise<number> {
  for (let skipped = 0; ; skipped += 1) {
    if (skipped % A_TURN === 0) await setImmediate();
    signal.throwIfAborted();
    if (skipped === many || source.next().done) return skipped;
  }
}

function batchOf(tries: number): number {
  return Math.max(1, Math.min(MAX_IN_A_BATCH, Math.round(tries)));
}

function nextOf(source: Iterator<Uint8Array>, most: number): Uint8Array[] {
  const batch: Uint8Array[] = [];
  while (batch.length < most) {
    const next = source.next();
    if (next.done) break;
    batch.push(next.value);
  }
  return batch;
}

/**
 * The progress of the last search, in one file: the salt of the wallet's master key, which the wallet shows anybody, two numbers,
 * and three hex digits that identify the pieces. The file helps an attacker hardly at all: checking a guess of all pieces against
 * it takes longer than trying the passphrase on the wallet, and one of 4,096 wrong guesses fits.
 */
function progressFile(file: string, { masterKeys }: Encryption, clues: PassphraseClues, tries: number) {
  const salt = bytesToHex(masterKeys[0]?.salt ?? new Uint8Array());
  const pieces = once(() => scryptSync(JSON.stringify(clues), salt, 2, SLOW).toString('hex').slice(0, 3));
  let written = Number.NEGATIVE_INFINITY;
  // A search must not fail because its progress cannot be saved.
  const writeLast = (done: number) => tryToWriteJsonFile(file, { salt, tries, pieces: pieces(), done });
  return {
    /** `others`: the last search of this wallet was for other pieces. */
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

function foundText(found: Uint8Array): NonNullable<PassphraseSearchResult['found']> {
  const text = orNull(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(found));
  return { hex: bytesToHex(found), text };
}

function notEncrypted(): never {
  throw new FileError('wallet_wrong_encryption_state', { code: 'wallet_not_encrypted' });
}
