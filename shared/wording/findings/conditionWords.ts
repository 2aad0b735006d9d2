/** Words for the conditions that make Bitcoin Core fail on a wallet file. */
import type { Condition, ConditionCode } from '../../model/conditions.ts';
import { say } from '../say.ts';
import { faultText } from './faultWords.ts';

const TEXTS: Readonly<Record<ConditionCode, string>> = {
  'record-unreadable': say('Records are damaged.'),
  'flags-unknown': say('The wallet needs a newer release.'),
  'transaction-id': say('A transaction does not match its id.'),
  'transaction-amount': say('A transaction pays more than 21 million bitcoin.'),
  'transaction-notes': say('A transaction has unknown metadata.'),
  'transaction-variant': say('A transaction variant is damaged.'),
  'reward-conflicted': say('A block reward is marked conflicted.'),
  'reward-spent': say('A confirmed transaction spends an unconfirmed block reward.'),
  'database-damaged': say('The database is damaged.'),
  'flags-missing': say('The wallet’s flags are missing.'),
  'legacy-record': say('A descriptor wallet has legacy records.'),
  'descriptor-unknown': say('Bitcoin Core cannot read a descriptor.'),
  'descriptor-id': say('A descriptor has another’s id.'),
  'descriptor-range': say('A single-address descriptor has a range.'),
  'descriptor-range-negative': say('A descriptor’s range starts below zero.'),
  'descriptor-cache': say('A descriptor lacks cached public keys.'),
  'descriptor-cache-key': say('A descriptor’s cached public key is damaged.'),
  'descriptor-key': say('A descriptor’s private key is damaged.'),
  'descriptor-keys-mixed': say('Only some private keys are encrypted.'),
  'descriptor-keys-open': say('Some keys are unencrypted: no passphrase unlocks it.'),
  'descriptor-next': say('A descriptor’s next index is below zero.'),
  'descriptor-orphan': say('Keys belong to a missing descriptor.'),
  'descriptor-seed': say('An old descriptor lacks its private key.'),
  'descriptor-size': say('A descriptor’s range covers millions of addresses.'),
  'active-unknown': say('The active descriptor is missing.'),
  'active-type': say('New addresses would have an unknown type.'),
  'active-kind': say('The active descriptor makes no addresses.'),
  'descriptor-record': say('A legacy wallet has descriptor records.'),
  'flags-blank': say('Wrongly marked as blank.'),
  'flags-descriptor': say('Wrongly marked as a descriptor wallet.'),
  'flags-signer': say('Wrongly marked as a hardware wallet.'),
  'flags-no-keys': say('Wrongly marked as without private keys.'),
  'key-damaged': say('A private key is damaged.'),
  'key-form': say('A private key has a hybrid public key.'),
  'key-misfit': say('A private key does not match its public key.'),
  'key-sealed': say('The master key does not decrypt a private key.'),
  'keys-mixed': say('Only some private keys are encrypted.'),
  'default-key': say('The default key is damaged.'),
  'master-missing': say('The master key is missing: nobody can decrypt the keys.'),
  'master-needless': say('It has a passphrase but unencrypted private keys.'),
  'master-watching': say('A watch-only wallet has a passphrase.'),
  'pool-damaged': say('A key pool record is damaged.'),
  'pool-key': say('A public key in the key pool is damaged.'),
  'version-rewrite': say('Release 0.4 or 0.5 encrypted it: it needs rewriting.'),
  'chain-apart': say('A chain’s key is recorded as single.'),
  'chain-twice': say('Two key chains come from one seed.'),
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
