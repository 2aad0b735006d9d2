/** Numbers of things with their noun, to stand alone or in a list; a sentence has its own plural. */
import { say } from '../../text/say.ts';

/** `1 wallet`, `2 wallets`. */
export const counted = {
  wallets: (count: number) => say('{count, plural, one {# wallet} other {# wallets}}', { count }),
  descriptors: (count: number) => say('{count, plural, one {# descriptor} other {# descriptors}}', { count }),
  scripts: (count: number) => say('{count, plural, one {# script} other {# scripts}}', { count }),
  transactions: (count: number) =>
    say('{count, plural, one {# transaction} other {# transactions}}', { count }),
  labels: (count: number) => say('{count, plural, one {# label} other {# labels}}', { count }),
  privateKeys: (count: number) =>
    say('{count, plural, one {# private key} other {# private keys}}', { count }),
} as const;
