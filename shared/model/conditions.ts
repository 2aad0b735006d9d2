/**
 * Conditions of a wallet file that make releases of Bitcoin Core warn, refuse the file, or exit. The sentences are in
 * `shared/wording/findings/faultWords.ts`, the behaviour of each release in `electron/walletfile/conditions/conditionTable.ts`.
 */
import { z } from 'zod/mini';
import { fault } from './findings/faults.ts';
import { truncatedList } from './shapes.ts';

export const conditionCodes = [
  // Both kinds of wallet.
  'record-unreadable',
  'record-longer',
  'flags-unknown',
  'transaction-id',
  'transaction-amount',
  'transaction-notes',
  'transaction-variant',
  'transaction-place',
  'reward-conflicted',
  'reward-spent',
  // Descriptor wallets.
  'database-damaged',
  'flags-missing',
  'descriptor-flag-watching',
  'descriptor-flag-signer',
  'legacy-record',
  'descriptor-unknown',
  'descriptor-id',
  'descriptor-id-earlier',
  'descriptor-id-later',
  'descriptor-range',
  'descriptor-range-negative',
  'descriptor-cache',
  'descriptor-cache-key',
  'descriptor-cache-locked',
  'descriptor-misfit',
  'descriptor-keyless',
  'descriptor-key',
  'descriptor-keys-mixed',
  'descriptor-keys-open',
  'descriptor-key-sealed',
  'descriptor-next',
  'descriptor-orphan',
  'descriptor-seed',
  'descriptor-size',
  'active-unknown',
  'active-type',
  'active-kind',
  // Legacy wallets.
  'descriptor-record',
  'flags-blank',
  'flags-descriptor',
  'flags-signer',
  'flags-no-keys',
  'key-damaged',
  'key-form',
  'key-misfit',
  'key-sealed',
  'keys-mixed',
  'default-key',
  'master-missing',
  'master-needless',
  'master-watching',
  'pool-damaged',
  'pool-longer',
  'pool-key',
  'version-rewrite',
  'chain-apart',
  'chain-twice',
  'chain-unknown',
] as const;

/** From this release on, Miniscript descriptors with hardened steps have other ids: see `descriptor-id-earlier`. */
export const FIRST_NEW_IDS = 310_000;

const conditionCode = z.enum(conditionCodes);
export type ConditionCode = z.infer<typeof conditionCode>;

/**
 * A condition and the records that show it: public texts, ids or types of records, each shortened to one line. If no
 * record can be named, the faults of the database.
 */
export const condition = z.object({
  code: conditionCode,
  records: truncatedList(z.union([z.string(), fault])),
});
export type Condition = z.infer<typeof condition>;

/** How many plain keys a first look at a wallet compares with their public keys, see `wallet.inspect`. */
export const MAX_FIRST_KEYS = 500;
