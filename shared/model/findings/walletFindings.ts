/** What is found about a wallet as a whole: its network and coin, its records, its balance. */
import { z } from 'zod';
import { inspectedCoin } from '../coin.ts';
import { condition } from '../conditions.ts';
import { network } from '../network.ts';
import { count } from '../shapes.ts';

export const walletFindings = {
  // network and coin
  network_unknown: {},
  /** The same, where no one but a node can tell it. */
  network_needed: {},
  network_ambiguous: { networks: z.array(network).readonly() },
  network_differs: { network, expected: network },
  network_of_other_chain: {},
  other_coin: { coin: inspectedCoin },
  not_surely_bitcoin: { coin: inspectedCoin },
  /** Bitcoin Core would refuse the wallet for it. */
  condition_refused: { condition },
  // keys
  keys_do_not_fit: { count },
  encrypted_keys_repeat: {},
  addresses_without_key: { count },
  only_addresses: {},
  keys_excluded: { count },
  keys_locked: { count },
  keys_damaged: { count },
  keys_not_encrypted: { count },
  master_key_missing: {},
  passphrase_cannot_be_proved: {},
  // records
  records_of_type_unreadable: { type: z.string(), count },
  records_of_unknown_types: { count },
  transactions_damaged: { count },
  transactions_invalid: { count },
  transaction_in_future: {},
  newer_release_needed: {},
  more_than_all_bitcoin: {},
  descriptors_unreadable: { damaged: count, all: count },
  balance_lacks_addresses: { count },
  balance_lacks_hardened_addresses: { count },
  // what a migration left
  half_migrated: {},
  empty_wallet: {},
} as const;
