/** What is found about keys, passphrases, addresses and descriptors. */
import { z } from 'zod';
import { network } from '../network.ts';
import { count } from '../shapes.ts';
import { fault } from './faults.ts';

export const keyFindings = {
  // passphrases
  passphrase_needed: {},
  passphrase_wrong: {},
  /** It has a zero byte, which releases before 25 took for its end. */
  passphrase_wrong_after_zero: {},
  encryption_record_damaged: {},
  /** `rounds` of hashing for each try of a passphrase. */
  too_many_rounds: { rounds: count },
  key_not_decrypted: {},
  wallet_not_encrypted: {},
  too_many_tries: { most: count },
  // addresses and paths
  not_address: {},
  not_address_of_network: { network },
  key_path_too_long: {},
  private_key_needed: {},
  // descriptors
  /** `function`: the functions around the place, such as `sh(multi())`; empty at the top. `key`: which key of these, from 1. */
  descriptor_wrong: { function: z.string(), key: z.number().nullable(), fault },
  descriptor_too_long: {},
  descriptor_range_too_long: {},
  descriptor_index_impossible: {},
  descriptor_character_invalid: {},
  descriptor_checksum_repeated: {},
  descriptor_checksum_missing: {},
  descriptor_checksum_wrong: {},
  descriptor_with_private_key: {},
  script_without_address: {},
  multisig_key_alone: {},
  keys_of_several_wallets: {},
} as const;
