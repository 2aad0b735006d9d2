/**
 * What makes releases of Bitcoin Core warn about a wallet file, refuse it, or end themselves over it. Codes only: their
 * words are in `shared/wording/conditionWords.ts`, and what each release does in `electron/walletfile/conditions/conditionTable.ts`.
 */
import { z } from 'zod';
import { fault } from './findings/faults.ts';
import { listed } from './shapes.ts';

export const conditionCodes = [
  // Of both kinds.
  'record-unreadable',
  'flags-unknown',
  'transaction-id',
  'transaction-amount',
  'transaction-notes',
  'transaction-variant',
  'reward-conflicted',
  'reward-spent',
  // Of descriptor wallets.
  'database-damaged',
  'flags-missing',
  'legacy-record',
  'descriptor-unknown',
  'descriptor-id',
  'descriptor-range',
  'descriptor-range-negative',
  'descriptor-cache',
  'descriptor-cache-key',
  'descriptor-key',
  'descriptor-keys-mixed',
  'descriptor-keys-open',
  'descriptor-next',
  'descriptor-orphan',
  'descriptor-seed',
  'descriptor-size',
  'active-unknown',
  'active-type',
  'active-kind',
  // Of legacy wallets.
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
  'pool-key',
  'version-rewrite',
  'chain-apart',
  'chain-twice',
  'chain-unknown',
] as const;

export const conditionCode = z.enum(conditionCodes);
export type ConditionCode = z.infer<typeof conditionCode>;

/**
 * One of them, and the records in which it was found: public texts, ids or types of records, each cut to a line. Where no
 * record can be named, what is wrong with the database.
 */
export const condition = z.object({ code: conditionCode, records: listed(z.union([z.string(), fault])) });
export type Condition = z.infer<typeof condition>;
