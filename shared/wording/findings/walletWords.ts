/** Words for findings about a whole wallet. */
import type { FactsOf } from '../../model/findings/coded.ts';
import type { walletFindings } from '../../model/findings/finding.ts';
import { counted } from '../format/counted.ts';
import { anyOf, networkName } from '../format/networkName.ts';
import { say } from '../say.ts';
import { coinAdvice, coinSentences, coinTitle } from './coinWords.ts';
import { conditionLines } from './conditionWords.ts';
import { keepAndLook, nodeRefuses, unchanged } from './hints.ts';
import type { WordsByCode } from './words.ts';

const chooseNetwork = () => unchanged(say('Choose the network.'));

export const walletWords: WordsByCode<FactsOf<typeof walletFindings>> = {
  network_unknown: () => [say('Unknown network.'), chooseNetwork()],
  network_needed: () => [say('Unknown network.'), say('Connect to a node on its network.')],
  network_ambiguous: ({ networks }) => [
    say('Its network may be {networks}.', { networks: anyOf(networks) }),
    chooseNetwork(),
  ],
  network_differs: ({ network, expected }) => [
    say('Its network is {network}, not {asked}.', {
      network: networkName(network),
      asked: networkName(expected),
    }),
    chooseNetwork(),
  ],
  network_of_other_chain: () => [say('Another network’s wallet'), say('Connect to a node on its network.')],
  other_coin: ({ coin }) => [`${coinTitle(coin)}.`, coinAdvice(coin)],
  not_surely_bitcoin: ({ coin }) => [coinSentences(coin).join(' ')],
  condition_refused: ({ condition }) => [
    conditionLines(condition).join(' '),
    unchanged(say('Rescue what is whole.')),
  ],
  keys_do_not_fit: ({ count }) => [say('Mismatched private keys: {count, number}.', { count })],
  encrypted_keys_repeat: () => [say('Repeated encrypted keys: fake.')],
  addresses_without_key: ({ count }) => [say('Addresses without a key: {count, number}.', { count })],
  only_addresses: () => [say('Addresses, but no keys.')],
  keys_excluded: ({ count }) => [
    say('Left out: {keys} with other encryption.', { keys: counted.privateKeys(count) }),
  ],
  keys_locked: ({ count }) => [
    say('{keys} under a passphrase. Rescue asks for it.', { keys: counted.privateKeys(count) }),
  ],
  keys_damaged: ({ count }) => [
    `${say('Damaged private keys: {count, number}.', { count })} ${nodeRefuses()}`,
  ],
  keys_not_encrypted: ({ count }) => [say('Unencrypted private keys: {count, number}.', { count })],
  master_key_missing: () => [say('Missing master key: nobody can decrypt the keys.')],
  passphrase_cannot_be_proved: () => [say('No encrypted key can prove the passphrase.')],
  records_damaged: ({ count, type }) => [
    say('{count} unreadable records, the first of type {type}.', { count, type }),
    unchanged(say('Rescue what is whole.')),
  ],
  records_of_type_unreadable: ({ type, count }) => [
    say('Unreadable {type} records: {count, number}.', { type, count }),
  ],
  records_of_unknown_types: ({ count }) => [say('Records of unknown types: {count, number}.', { count })],
  transactions_damaged: ({ count }) => [say('Damaged transactions, left out: {count, number}.', { count })],
  transactions_invalid: ({ count }) => [say('Invalid transactions: {count, number}.', { count })],
  transaction_in_future: () => [say('Transaction dated in the future.')],
  newer_release_needed: () => [say('Needs a newer release.')],
  more_than_all_bitcoin: () => [say('More than 21 million bitcoin: fake.')],
  descriptors_unreadable: ({ damaged, all }) => [
    say('Unreadable descriptors: {damaged, number} of {all, number}.', { damaged, all }),
  ],
  balance_lacks_addresses: ({ count }) => [say('The balance lacks addresses: {count, number}.', { count })],
  balance_lacks_hardened_addresses: ({ count }) => [
    say('The balance lacks addresses that need a private key: {count, number}.', { count }),
  ],
  half_migrated: () => [[say('Interrupted migration.'), keepAndLook()].join(' ')],
  empty_wallet: () => [say('This wallet is empty.')],
};
