/** Checks the name of a new wallet, and finds a free one. */
import { findNameProblem } from '../../../shared/model/names/walletName.ts';
import type { Question } from '../../../shared/model/plan.ts';
import type { Check } from '../../../shared/model/safety.ts';
import { nameProblemText, takenNameText } from '../../../shared/wording/format/names.ts';
import { say } from '../../../shared/wording/say.ts';
import { thisPlatform } from '../../files/openFile.ts';
import { blocker, fine, type RestoreFacts, unseen, warning } from './checkFacts.ts';
import { needsMigration } from './checkRestore.ts';

/** The question for the new wallet's name, with a free name if this one is not. */
export function nameQuestion(facts: RestoreFacts): Extract<Question, { ask: 'name' }> {
  const check = checkName(facts);
  const free = check.verdict === 'blocker' ? freeName(facts.name, facts) : '';
  return { ask: 'name', value: facts.name, check, ...(free === '' ? {} : { free }) };
}

/** The first usable name of `savings`, `savings-restored`, `savings-restored-2` …; empty if none is. */
export function freeName(suggested: string, facts: RestoreFacts): string {
  const platform = facts.status.local ? thisPlatform() : 'other';
  const problem = findNameProblem(suggested, { taken: [], platform });
  if (problem !== null && problem !== 'reserved_by_node') return '';
  const isFree = (name: string) => {
    // Whether a folder is in the way is known for the name of the facts only.
    const blockingPath = name === facts.name ? facts.blockingPath : null;
    return checkName({ ...facts, name, blockingPath, renames: [] }).verdict !== 'blocker';
  };
  const numbered = Array.from({ length: TRIES }, (_, at) =>
    at === 0 ? `${suggested}-restored` : `${suggested}-restored-${at + 1}`,
  );
  return [suggested, ...numbered].find(isFree) ?? '';
}

const TRIES = 100;

/**
 * From this release on a node restores into a folder without a wallet. A journal that an earlier wallet left there then changes the new
 * one: 31.0 restored another wallet than the backup's, without an error.
 */
const FIRST_OVER_FOLDERS = 310_000;

/** Whether the node can create a wallet of this name. */
export function checkName(facts: RestoreFacts): Check {
  const { name, onDisk, loaded, status, blockingPath, renames } = facts;
  const migrates = needsMigration(facts);
  const renamed = new Set(renames.map((one) => one.name));
  const problem = findNameProblem(name, {
    taken: [...loaded, ...onDisk].filter((each) => !renamed.has(each)),
    platform: status.local ? thisPlatform() : 'other',
  });
  const todo = [say('Choose another name.')];
  if (problem === 'taken') return blocker('name', takenNameText(name), { todo });
  if (problem !== null) return blocker('name', nameProblemText(problem), { todo });
  if (migrates && name.includes('/')) return blocker('name', say('The name has a slash'), { todo });
  if (blockingPath !== null && !renamed.has(name))
    return blocker('name', say('A file or folder is in the way'), { text: [blockingPath], todo });
  if (name !== name.trim()) return warning('name', say('The name begins or ends with a space'));
  const parts = name.split('/');
  const above = parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('/'));
  const inside = above.find((each) => onDisk.includes(each));
  if (inside !== undefined) {
    return warning('name', say('Inside the folder of “{wallet}”', { wallet: inside }), {
      text: [say('Deleting that folder also deletes this wallet.')],
    });
  }
  if (renamed.has(name)) {
    return fine('name', say('The name becomes free'), {
      text: renames.map((one) => say('“{name}” becomes “{newName}”.', { ...one })),
    });
  }
  const title = say('The name is free');
  // On another machine the app sees no folder that is left under the name.
  return status.walletsFolder === null && !migrates && status.release.number >= FIRST_OVER_FOLDERS
    ? unseen('name', title, {
        text: [say('Any old journal in its folder would interfere.'), say('The app cannot see this here.')],
      })
    : fine('name', title);
}
