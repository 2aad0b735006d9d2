/** Reasons not to migrate or export a wallet, and the findings of a migration's proof. */
import { z } from 'zod';
import { obstacles, walletPart } from '../migrationPreview.ts';
import { count, listed } from '../shapes.ts';
import { type Coded, codedShape, type FactsOf } from './coded.ts';
import { fault } from './faults.ts';

const address = z.string();

export const proofFaults = {
  private_key_lost: {},
  private_keys_partly_lost: {},
  descriptor_key_lost: { index: z.number() },
  descriptor_keys_reordered: {},
  descriptors_overlap: {},
  script_lost: { address },
  script_added: { address },
  script_keys_lost: { address },
  script_watched_wrongly: { address },
  script_only_watched: { address },
  script_not_solvable: { address },
  solvable_scripts_lost: {},
  address_in_no_wallet: { address },
  records_lost: { count },
  transaction_records_lost: { count },
  address_records_lost: { count },
  addresses_in_wrong_wallet: { count },
} as const;

export type ProofFaultFacts = FactsOf<typeof proofFaults>;
/** Something that the new wallets lack, have in excess, or have in the wrong wallet. */
export type ProofFault<C extends keyof ProofFaultFacts = keyof ProofFaultFacts> = Coded<ProofFaultFacts, C>;

export const migrationFindings = {
  ...obstacles,
  already_descriptor_wallet: {},
  migration_interrupted: {},
  flags_not_legacy: {},
  watch_only_with_private_keys: {},
  chain_key_missing: { index: z.number() },
  keys_with_expiry: {},
  transactions_in_no_wallet: { transactions: listed(z.string()) },
  addresses_in_no_wallet: { addresses: listed(z.string()) },
  proof_failed: { faults: listed(codedShape(proofFaults)) },
  new_wallet_not_read_back: {},
  not_wallet_and_migration: {},
  // exports
  export_incomplete: { fault },
  legacy_without_descriptors: {},
  no_private_keys: {},
  descriptor_wallet_without_parts: {},
  part_not_made: { part: walletPart, parts: z.array(walletPart).readonly() },
} as const;
