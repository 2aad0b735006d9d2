/** What a rescue saved and what it knows to be missing, in rows: for a plan, a result and the terminal. */
import type { RescueFacts } from '../safety.ts';
import { say } from '../text/say.ts';
import { counted } from './format/counted.ts';
import { formatTime } from './format/formatTime.ts';
import { listed } from './format/listed.ts';

/** `60 private keys, 1 seed, 66 labels, 6 transactions`. */
export function savedWords({ saved: { keys, seeds, labels, transactions } }: RescueFacts): string {
  return listed([
    counted.privateKeys(keys),
    seeds > 0 && say('{count, plural, one {# seed} other {# seeds}}', { count: seeds }),
    counted.labels(labels),
    counted.transactions(transactions),
  ]);
}

/** Only what there is something to say of. */
export function rescueRows(facts: RescueFacts): { label: string; value: string }[] {
  const { saved, log, damaged, missing, sealed, unread, untied, setAside, setAsideFile } = facts;
  const row = (label: string, parts: readonly (string | false)[]) => {
    const value = listed(parts);
    return value === '' ? [] : [{ label, value }];
  };
  return [
    ...row(say('Saved'), [savedWords(facts)]),
    ...row(say('From the seed'), [saved.derived > 0 && counted.privateKeys(saved.derived)]),
    ...row(say('From the log'), [
      log !== null &&
        say('{count, plural, one {# change} other {# changes}}', { count: log.redone + log.undone }),
      log !== null && log.lastCommit !== null && formatTime(log.lastCommit),
    ]),
    ...row(say('Damaged'), [
      damaged.keys > 0 && counted.privateKeys(damaged.keys),
      damaged.others > 0 &&
        say('{count, plural, one {# other record} other {# other records}}', { count: damaged.others }),
    ]),
    ...row(say('Missing'), [
      missing.keys > 0 && counted.privateKeys(missing.keys),
      missing.chainKeys > 0 &&
        say('{count, plural, one {# key} other {# keys}} of a lost seed', { count: missing.chainKeys }),
      missing.masterKey && say('the master key: no passphrase opens its keys'),
      missing.counter && say('the count of keys made'),
    ]),
    ...row(say('Under a passphrase'), [sealed > 0 && counted.privateKeys(sealed)]),
    ...row(say('Unreadable'), [
      unread > 0 && say('{count, plural, one {# line} other {# lines}}', { count: unread }),
    ]),
    ...row(say('Of other wallets'), [untied > 0 && counted.privateKeys(untied)]),
    ...row(say('Set aside'), [
      setAside.transactions.total > 0 &&
        say('{count, plural, one {# stray transaction} other {# stray transactions}}', {
          count: setAside.transactions.total,
        }),
      setAside.addresses.total > 0 &&
        say('{count, plural, one {# address} other {# addresses}} without a key', {
          count: setAside.addresses.total,
        }),
      setAsideFile ?? false,
    ]),
  ];
}

/** Whether anything is known to be lost. */
export function lacksAnything({ damaged, missing, unclean, sealed, unread }: RescueFacts): boolean {
  return (
    unclean ||
    [damaged.keys, damaged.others, missing.keys, missing.chainKeys, sealed, unread].some(
      (count) => count > 0,
    ) ||
    missing.masterKey ||
    missing.counter
  );
}

/** What brings back transactions that were lost; null where nothing is known to be. */
export function rescanWords(facts: RescueFacts): string | null {
  return lacksAnything(facts) ? say('Lost transactions come back with a rescan: rescanblockchain.') : null;
}
