/** Words for every finding. */
import type { Finding, FindingFacts } from '../../model/findings/finding.ts';
import { databaseWords } from './databaseWords.ts';
import { fileWords } from './fileWords.ts';
import { keyWords } from './keyWords.ts';
import { migrationWords } from './migrationWords.ts';
import { walletWords } from './walletWords.ts';
import type { WordsByCode } from './words.ts';

const WORDS: WordsByCode<FindingFacts> = {
  ...databaseWords,
  ...keyWords,
  ...walletWords,
  ...migrationWords,
  ...fileWords,
};

/** One plain sentence. */
export function findingText<C extends keyof FindingFacts>(finding: Finding<C>): string {
  return WORDS[finding.code](finding)[0];
}

/** What is safe and what to do next; empty without advice. */
export function findingHint<C extends keyof FindingFacts>(finding: Finding<C>): string {
  return WORDS[finding.code](finding)[1] ?? '';
}
