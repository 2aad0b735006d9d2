/** Words for the conditions that make Bitcoin Core fail on a wallet file. */
import type { Condition, ConditionCode } from '../../model/conditions.ts';
import { say } from '../say.ts';
import { faultText } from './faultWords.ts';

const TEXTS: Readonly<Record<ConditionCode, string>> = {
  'record-unreadable': say('Records are damaged.'),
  'flags-unknown': say('The wallet needs a newer release.'),
  'transaction-id': say('A transaction’s bytes do not match its id.'),
  'transaction-amount': say('A transaction pays more than 21 million bitcoin.'),
  'transaction-notes': say('A transaction has unknown metadata.'),
  'transaction-variant': say('A transaction variant is damaged.'),
  'reward-conflicted': say('A block reward is marked as conflicted.'),
  'reward-spent': say('A confirmed transaction spends a reward that is in no block.'),
  'database-damaged': say('The database is damaged.'),
  'flags-missing': say('The record of the wallet’s kind is missing.'),
  'legacy-record': say('A descriptor wallet has legacy records.'),
  'descriptor-unknown': say('Bitcoin Core cannot read a descriptor of this wallet.'),
  'descriptor-id': say('A descriptor is stored under another descriptor’s id.'),
  'descriptor-range': say('A descriptor of one address has a longer range.'),
  'descriptor-range-negative': say('A descriptor’s range starts below zero.'),
  'descriptor-cache': say('Stored public keys of a descriptor are missing.'),
  'descriptor-cache-key': say('A stored public key of a descriptor is damaged.'),
  'descriptor-key': say('A private key of a descriptor is damaged.'),
  'descriptor-keys-mixed': say('Only some private keys of a descriptor are encrypted.'),
  'descriptor-keys-open': say('An encrypted wallet has unencrypted private keys. No passphrase unlocks it.'),
  'descriptor-next': say('A descriptor’s next index is below zero.'),
  'descriptor-orphan': say('Keys are stored for a missing descriptor.'),
  'descriptor-seed': say('An old descriptor lacks the private key to derive its addresses.'),
  'descriptor-size': say('A descriptor’s range covers millions of addresses.'),
  'active-unknown': say('New addresses would come from a missing descriptor.'),
  'active-type': say('New addresses would have an unknown type.'),
  'active-kind': say('The active descriptor cannot produce new addresses.'),
  'descriptor-record': say('A legacy wallet has descriptor records.'),
  'flags-blank': say('The wallet is marked as blank, but is not.'),
  'flags-descriptor': say('This legacy wallet is marked as a descriptor wallet.'),
  'flags-signer': say('This legacy wallet is marked as a hardware wallet.'),
  'flags-no-keys': say('The wallet is marked as having no private keys, but has some.'),
  'key-damaged': say('A private key is damaged.'),
  'key-form': say('A private key is stored under a hybrid public key.'),
  'key-misfit': say('A private key does not match its public key.'),
  'key-sealed': say('The master key does not decrypt a private key.'),
  'keys-mixed': say('Only some private keys are encrypted.'),
  'default-key': say('The default key is damaged.'),
  'master-missing': say('Private keys are encrypted, but the master key is missing.'),
  'master-needless': say('The wallet has a passphrase, but its private keys are not encrypted.'),
  'master-watching': say('A watch-only wallet has a passphrase.'),
  'pool-damaged': say('A key pool record is damaged.'),
  'pool-key': say('A public key in the key pool is damaged.'),
  'version-rewrite': say('Release 0.4 or 0.5 encrypted it. Bitcoin Core wants to rewrite it.'),
  'chain-apart': say('A key from a chain is recorded as a single key.'),
  'chain-twice': say('Two key chains come from one seed.'),
  'chain-unknown': say('Only the passphrase shows whether key chains have gaps.'),
};

export function conditionText(code: ConditionCode): string {
  return TEXTS[code];
}

/** The sentence and the first records with the condition, each cut to fit a line. */
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
