/** Words for findings about keys, passphrases, addresses and descriptors. */
import type { FactsOf } from '../../model/findings/coded.ts';
import type { keyFindings } from '../../model/findings/finding.ts';
import { networkName } from '../format/networkName.ts';
import { say } from '../say.ts';
import { faultText } from './faultWords.ts';
import { checkDescriptor, givePassphrase, keepFile, unchanged } from './hints.ts';
import type { WordsByCode } from './words.ts';

export const keyWords: WordsByCode<FactsOf<typeof keyFindings>> = {
  passphrase_needed: () => [
    say('This needs the wallet’s passphrase.'),
    unchanged(say('Give it and try again.')),
  ],
  passphrase_wrong: () => [
    say('The passphrase is wrong.'),
    unchanged(say('Check capitals, spaces and keyboard layout.')),
  ],
  passphrase_wrong_after_zero: () => [
    say('The passphrase is wrong.'),
    unchanged(say('If set before release 25, try only the part before the zero byte.')),
  ],
  encryption_record_damaged: () => [say('The encryption record is missing or damaged.'), keepFile()],
  too_many_rounds: ({ rounds }) => [
    say('Each passphrase would take {rounds, number} rounds: too many.', { rounds }),
    keepFile(),
  ],
  key_not_decrypted: () => [say('The right passphrase does not decrypt a key.'), keepFile()],
  wallet_not_encrypted: () => [say('The wallet is not encrypted.'), unchanged()],
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
    const inFunctions =
      key === null ? functions : say('{function}, key {number}', { function: functions, number: key });
    const place = functions === '' ? say('the descriptor') : inFunctions;
    return [say('In {place}: {fault}.', { place, fault: faultText(found) }), checkDescriptor()];
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
    say('Open the multisig’s descriptor instead.'),
  ],
  keys_of_several_wallets: () => [
    say('Not all of these go into one wallet.'),
    say('Open BIP38 keys and watch-only descriptors separately.'),
  ],
};
