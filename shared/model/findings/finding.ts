/** What is found about a file, as a code with its facts. `shared/wording/findings` has the words for each. */
import { type Coded, codedShape, type FactsOf } from './coded.ts';
import { databaseFindings } from './databaseFindings.ts';
import { fileFindings, logFindings } from './fileFindings.ts';
import { keyFindings } from './keyFindings.ts';
import { migrationFindings } from './migrationFindings.ts';
import { walletFindings } from './walletFindings.ts';

export const findings = {
  ...databaseFindings,
  ...keyFindings,
  ...walletFindings,
  ...migrationFindings,
  ...fileFindings,
} as const;

export type FindingFacts = FactsOf<typeof findings>;
export type Finding<C extends keyof FindingFacts = keyof FindingFacts> = Coded<FindingFacts, C>;
export const finding = codedShape(findings);

/** Whether a log of Berkeley DB is the cause. */
export function isAboutLog(code: string): boolean {
  return Object.hasOwn(logFindings, code);
}
