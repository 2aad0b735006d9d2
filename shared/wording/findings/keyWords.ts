/** Words for findings about keys, passphrases, addresses and descriptors. */
import type { FactsOf } from '../../model/findings/coded.ts';
import type { keyFindings } from '../../model/findings/finding.ts';
import { networkName } from '../format/networkName.ts';
import { say } from '../say.ts';
import { faultText } from './faultWords.ts';
import { checkDescriptor, givePassphrase, keepFile, unchanged } from './hints.ts';
import type { WordsByCode } from './words.ts';

export const keyWords: WordsByCode<FactsOf<typeof keyFindings>> = {
  passphrase_needed: () => [say('This needs the passphrase.'), unchanged(say('Type the passphrase.'))],
  passphrase_wrong: () => [
    say('Wrong passphrase.'),
    unchanged(say('Check capitals, spaces and keyboard layout.')),
  ],
  passphrase_wrong_after_zero: () => [
    say('Wrong passphrase.'),
    unchanged(say('If set before release 25, try only the part before the zero byte.')),
  ],
  encryption_record_damaged: () => [say('Missing or damaged encryption record.'), keepFile()],
  too_many_rounds: ({ rounds }) => [say('Too many rounds: {rounds, number}.', { rounds }), keepFile()],
  key_not_decrypted: () => [say('The right passphrase does not decrypt a key.'), keepFile()],
  wallet_not_encrypted: () => [say('The wallet is not encrypted.'), unchanged()],
  too_many_tries: ({ most }) => [
    say('More than {most, number} tries.', { most }),
    say('Choose fewer variations.'),
  ],
  not_address: () => [say('Not a Bitcoin address.'), unchanged(say('Check that it is complete.'))],
  not_address_of_network: ({ network }) => [
    say('Not an address of {network}.', { network: networkName(network) }),
    unchanged(say('Check that it is complete.')),
  ],
  key_path_too_long: () => [say('The key path is too long.'), givePassphrase()],
  private_key_needed: () => [say('A hardened step needs the private key.'), givePassphrase()],
  descriptor_wrong: ({ function: functions, key, fault: found }) => {
    const inFunctions =
      key === null ? functions : say('{function}, key {number}', { function: functions, number: key });
    const place = functions === '' ? say('the descriptor') : inFunctions;
    return [say('In {place}: {fault}.', { place, fault: faultText(found) }), checkDescriptor()];
  },
  descriptor_too_long: () => [say('Descriptor too long.'), checkDescriptor()],
  descriptor_range_too_long: () => [say('Range too long.'), checkDescriptor()],
  descriptor_index_impossible: () => [say('Index beyond 2147483647.'), checkDescriptor()],
  descriptor_character_invalid: () => [say('Invalid character in the descriptor.'), checkDescriptor()],
  descriptor_checksum_repeated: () => [say('More than one “#”.'), checkDescriptor()],
  descriptor_checksum_missing: () => [say('No checksum.'), checkDescriptor()],
  descriptor_checksum_wrong: () => [say('Wrong descriptor checksum.'), checkDescriptor()],
  descriptor_with_private_key: () => [say('Private key in the descriptor.'), checkDescriptor()],
  script_without_address: () => [say('This script has no address.'), checkDescriptor()],
  multisig_key_alone: () => [say('One multisig key finds no coins.'), say('Open the multisig descriptor.')],
  keys_of_several_wallets: () => [
    say('One wallet cannot take them all.'),
    say('Open BIP38 keys and watch-only descriptors separately.'),
  ],
};
