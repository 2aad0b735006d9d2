/** Words for what is found about keys, passphrases, addresses and descriptors. */
import type { FactsOf } from '../../model/findings/coded.ts';
import type { keyFindings } from '../../model/findings/finding.ts';
import { networkName } from '../format/networkName.ts';
import { say } from '../say.ts';
import { faultText } from './faultWords.ts';
import { checkDescriptor, givePassphrase, keepFile, unchanged } from './hints.ts';
import type { WordsByCode } from './words.ts';

export const keyWords: WordsByCode<FactsOf<typeof keyFindings>> = {
  passphrase_needed: () => [
    say('The wallet is encrypted: this needs its passphrase.'),
    unchanged(say('Give the passphrase and try again.')),
  ],
  passphrase_wrong: () => [
    say('The passphrase is wrong.'),
    unchanged(say('Check capitals, spaces and keyboard layout.')),
  ],
  passphrase_wrong_after_zero: () => [
    say('The passphrase is wrong.'),
    unchanged(say('If it was set before release 25, try only what comes before the zero byte.')),
  ],
  encryption_record_damaged: () => [say('The wallet’s encryption record is missing or damaged.'), keepFile()],
  too_many_rounds: ({ rounds }) => [
    say('The file asks for {rounds, number} rounds for each passphrase: far too many.', { rounds }),
    say('No passphrase was tried. Keep the file, and try another copy of this backup.'),
  ],
  key_not_decrypted: () => [say('The passphrase is right, but does not decrypt a key.'), keepFile()],
  wallet_not_encrypted: () => [say('The wallet is not encrypted.'), say('It needs no passphrase.')],
  too_many_tries: ({ most }) => [
    say('More than {most, number} tries.', { most }),
    say('Choose fewer variations.'),
  ],
  not_address: () => [
    say('This is not a Bitcoin address.'),
    unchanged(say('Check that the address is complete.')),
  ],
  not_address_of_network: ({ network }) => [
    say('This is not an address of {network}.', { network: networkName(network) }),
    unchanged(say('Check that the address is complete.')),
  ],
  key_path_too_long: () => [say('The key’s path is too long.'), givePassphrase()],
  private_key_needed: () => [say('A hardened step needs the private key.'), givePassphrase()],
  descriptor_wrong: ({ function: functions, key, fault: found }) => {
    const fault = faultText(found);
    if (functions === '') return [say('In the descriptor: {fault}.', { fault }), checkDescriptor()];
    if (key === null)
      return [say('In {function}: {fault}.', { function: functions, fault }), checkDescriptor()];
    const place = say('{function}, key {number}', { function: functions, number: key });
    return [say('In {place}: {fault}.', { place, fault }), checkDescriptor()];
  },
  descriptor_too_long: () => [say('The descriptor is too long.'), checkDescriptor()],
  descriptor_range_too_long: () => [say('The descriptor’s range is too long.'), checkDescriptor()],
  descriptor_index_impossible: () => [say('The index must be from 0 to 2147483647.'), checkDescriptor()],
  descriptor_character_invalid: () => [say('The descriptor has an invalid character.'), checkDescriptor()],
  descriptor_checksum_repeated: () => [say('The descriptor has more than one “#”.'), checkDescriptor()],
  descriptor_checksum_missing: () => [say('The descriptor has no checksum.'), checkDescriptor()],
  descriptor_checksum_wrong: () => [say('The descriptor’s checksum does not match.'), checkDescriptor()],
  descriptor_with_private_key: () => [say('The descriptor has a private key.'), checkDescriptor()],
  script_without_address: () => [say('This script has no address.'), checkDescriptor()],
  multisig_key_alone: () => [
    say('One key of a multisig finds no coins.'),
    say('Open its descriptor, which names all keys.'),
  ],
  keys_of_several_wallets: () => [
    say('Not all of these go into one wallet.'),
    say('Open BIP38 keys and watch-only descriptors on their own.'),
  ],
};
