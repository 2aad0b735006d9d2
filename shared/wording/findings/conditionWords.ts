/** Words for the conditions that make Bitcoin Core fail on a wallet file. */
import type { Condition, ConditionCode } from '../../model/conditions.ts';
import { say } from '../say.ts';
import { faultText } from './faultWords.ts';

const TEXTS: Readonly<Record<ConditionCode, string>> = {
  'record-unreadable': say('Damaged records.'),
  'flags-unknown': say('Needs a newer release.'),
  'transaction-id': say('A transaction’s id is wrong.'),
  'transaction-amount': say('A transaction over 21 million bitcoin.'),
  'transaction-notes': say('Unknown transaction metadata.'),
  'transaction-variant': say('Damaged transaction variant.'),
  'reward-conflicted': say('Block reward marked conflicted.'),
  'reward-spent': say('Confirmed spend of an unconfirmed block reward.'),
  'database-damaged': say('Damaged database.'),
  'flags-missing': say('Missing wallet flags.'),
  'legacy-record': say('Legacy records in a descriptor wallet.'),
  'descriptor-unknown': say('Unreadable descriptor.'),
  'descriptor-id': say('Wrong descriptor id.'),
  'descriptor-range': say('Single-address descriptor with a range.'),
  'descriptor-range-negative': say('Negative descriptor range.'),
  'descriptor-cache': say('Missing cached public keys.'),
  'descriptor-cache-key': say('Damaged cached public key.'),
  'descriptor-key': say('Damaged private key.'),
  'descriptor-keys-mixed': say('Only some private keys are encrypted.'),
  'descriptor-keys-open': say('Unencrypted keys: no passphrase unlocks it.'),
  'descriptor-next': say('Negative descriptor index.'),
  'descriptor-orphan': say('Keys of a missing descriptor.'),
  'descriptor-seed': say('Old descriptor without its private key.'),
  'descriptor-size': say('Descriptor range of millions of addresses.'),
  'active-unknown': say('Missing active descriptor.'),
  'active-type': say('Unknown address type.'),
  'active-kind': say('Active descriptor without addresses.'),
  'descriptor-record': say('Descriptor records in a legacy wallet.'),
  'flags-blank': say('Wrongly marked as blank.'),
  'flags-descriptor': say('Wrongly marked as a descriptor wallet.'),
  'flags-signer': say('Wrongly marked as a hardware wallet.'),
  'flags-no-keys': say('Wrongly marked as having no private keys.'),
  'key-damaged': say('Damaged private key.'),
  'key-form': say('Hybrid public key.'),
  'key-misfit': say('Private and public key mismatch.'),
  'key-sealed': say('Undecryptable private key.'),
  'keys-mixed': say('Only some private keys are encrypted.'),
  'default-key': say('Damaged default key.'),
  'master-missing': say('Missing master key: nobody can decrypt the keys.'),
  'master-needless': say('Passphrase set, yet private keys unencrypted.'),
  'master-watching': say('Passphrase on a watch-only wallet.'),
  'pool-damaged': say('Damaged key pool record.'),
  'pool-key': say('Damaged public key in the pool.'),
  'version-rewrite': say('Encrypted by release 0.4 or 0.5, never rewritten.'),
  'chain-apart': say('Chain key recorded as a single key.'),
  'chain-twice': say('Two key chains from one seed.'),
  'chain-unknown': say('Only the passphrase shows whether key chains have gaps.'),
};

export function conditionText(code: ConditionCode): string {
  return TEXTS[code];
}

/** The sentence, and the first records with the condition, each shortened. */
export function conditionLines({ code, records: { total, shown } }: Condition): string[] {
  const named = shown
    .slice(0, MOST_NAMED)
    .map((record) => cut(typeof record === 'string' ? record : faultText(record)));
  const more = total - named.length;
  if (more > 0) named.push(say('{more, number} more', { more }));
  return [conditionText(code), say('In: {records}.', { records: named.join(', ') })];
}

const MOST_NAMED = 3;

function cut(record: string): string {
  return record.length > LONGEST ? `${record.slice(0, LONGEST)}…` : record;
}

const LONGEST = 64;
