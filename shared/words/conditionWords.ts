/** What Bitcoin Core would meet in a wallet file, in words. */
import type { Condition, ConditionCode } from '../conditions.ts';
import { say } from '../text/say.ts';

const TEXTS: Readonly<Record<ConditionCode, string>> = {
  'record-unreadable': say('Records are damaged.'),
  'flags-unknown': say('The wallet needs a newer release.'),
  'transaction-id': say('The bytes of a transaction do not give its id.'),
  'transaction-amount': say('A transaction pays more than there can be.'),
  'transaction-notes': say('A transaction has notes of an unknown kind.'),
  'transaction-variant': say('A second form of a transaction is damaged.'),
  'reward-conflicted': say('A block’s reward is recorded as in conflict.'),
  'reward-spent': say('A reward that is in no block is recorded as spent in one.'),
  'database-damaged': say('The database is damaged.'),
  'flags-missing': say('The record that tells the kind of wallet is missing.'),
  'legacy-record': say('A descriptor wallet has records of a legacy one.'),
  'descriptor-unknown': say('Bitcoin Core cannot read a descriptor of this wallet.'),
  'descriptor-id': say('A descriptor is stored under the id of another one.'),
  'descriptor-range': say('A descriptor of one address claims several.'),
  'descriptor-range-negative': say('A descriptor begins before its first address.'),
  'descriptor-cache': say('Stored public keys of a descriptor are missing.'),
  'descriptor-cache-key': say('A stored public key of a descriptor is damaged.'),
  'descriptor-key': say('A private key of a descriptor is damaged.'),
  'descriptor-keys-mixed': say('A descriptor has plain and encrypted private keys.'),
  'descriptor-keys-open': say('An encrypted wallet has plain private keys: no passphrase unlocks it.'),
  'descriptor-next': say('The next address of a descriptor is before its first one.'),
  'descriptor-orphan': say('Keys are stored for a descriptor that is not there.'),
  'descriptor-seed': say('A descriptor of an old release lacks the key that its addresses need.'),
  'descriptor-size': say('A descriptor claims millions of addresses.'),
  'active-unknown': say('New addresses would come from a descriptor that is not there.'),
  'active-type': say('New addresses would be of a type that does not exist.'),
  'active-kind': say('New addresses would come from a descriptor that gives none.'),
  'descriptor-record': say('A legacy wallet has records of a descriptor one.'),
  'flags-blank': say('The wallet calls itself blank, and is not.'),
  'flags-descriptor': say('This legacy wallet calls itself a descriptor wallet.'),
  'flags-signer': say('This legacy wallet calls itself a hardware wallet’s.'),
  'flags-no-keys': say('The wallet says that it has no private keys, and has some.'),
  'key-damaged': say('A private key is damaged.'),
  'key-form': say('A private key is stored under a public key of hybrid form.'),
  'key-misfit': say('A private key does not fit its public key.'),
  'key-sealed': say('The passphrase does not open a private key.'),
  'keys-mixed': say('Only some private keys are encrypted.'),
  'default-key': say('The default key is damaged.'),
  'master-missing': say('Private keys are encrypted, and what opens them is missing.'),
  'master-needless': say('The wallet has a passphrase, but its private keys are plain.'),
  'master-watching': say('The wallet has a passphrase, but only watches.'),
  'pool-damaged': say('A record of an unused address is damaged.'),
  'pool-key': say('The public key of an unused address is damaged.'),
  'version-rewrite': say('Release 0.4 or 0.5 encrypted it: Bitcoin Core wants to write it anew.'),
  'chain-apart': say('A key of a chain is recorded as a single key.'),
  'chain-twice': say('Two key chains come from one seed.'),
  'chain-unknown': say('Whether key chains have gaps is not known before the passphrase.'),
};

export function conditionText(code: ConditionCode): string {
  return TEXTS[code];
}

/** The sentence, and where: the first records, each cut to what fits a line. */
export function conditionLines({ code, records: { total, shown } }: Condition): string[] {
  const named = shown.slice(0, MOST_NAMED).map(cut);
  const more = total - named.length;
  if (more > 0) named.push(say('{more, number} more', { more }));
  return [conditionText(code), say('In: {records}.', { records: named.join(', ') })];
}

const MOST_NAMED = 3;

function cut(record: string): string {
  return record.length > LONGEST ? `${record.slice(0, LONGEST)}…` : record;
}

const LONGEST = 64;
