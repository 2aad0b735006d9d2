/** Single lines about a plan: its title, its state and its result. */
import { mainBalance } from '../model/inspection.ts';
import { formatBitcoin } from '../model/money.ts';
import {
  findBlocker,
  type Plan,
  type PlannedCall,
  questionOf,
  type RequiredQuestion,
} from '../model/plan.ts';
import type { Check } from '../model/safety.ts';
import { counted } from './format/formatNumber.ts';
import { networkName } from './format/names.ts';
import { joinList } from './format/perRegion.ts';
import { HALF_IS_KEPT } from './interruptionWords.ts';
import { hasLosses } from './rescueWords.ts';
import { say } from './say.ts';

/** The title of a plan. Only the plan shows whether a restore also migrates, and where a rescan starts. */
export function planTitle({ action, kind, asks }: Pick<Plan, 'action' | 'kind' | 'asks'>): string {
  if (action === 'restore' && kind === 'restore-migrate') return say('Restore and migrate');
  const from = questionOf({ asks }, 'rescan-from')?.value ?? 0;
  return from > 0 ? say('Rescan from block {block, number}', { block: from }) : CARDS[action].title;
}

interface CardWords {
  title: string;
  button: string;
  /** What it does, in a sentence; empty if the title says it all. */
  lead: string;
}

/** The words of an action's card. `migrates`: the expectation before there is a plan. */
export function cardWords(
  action: Plan['action'],
  plan: Pick<Plan, 'action' | 'kind' | 'asks'> | null,
  migrates: boolean,
): CardWords {
  if (action === 'rescan' && plan !== null) return { ...CARDS[action], title: planTitle(plan) };
  const isMigration = plan === null ? migrates : plan.kind === 'restore-migrate';
  if (action === 'put-back' && isMigration) return { ...CARDS[action], lead: PUT_BACK_AND_MIGRATE };
  return CARDS[action === 'restore' && isMigration ? 'migrate' : action];
}

const CARDS: Readonly<Record<Plan['action'], CardWords>> = {
  restore: {
    title: say('Restore this wallet'),
    lead: say('Makes a new wallet.'),
    button: say('Restore'),
  },
  migrate: {
    title: say('Migrate this wallet'),
    lead: say('Makes a new descriptor wallet.'),
    button: say('Migrate'),
  },
  backup: { title: say('Back up this wallet'), lead: '', button: say('Back up') },
  undo: { title: say('Undo the migration'), lead: say('Brings the old wallet back.'), button: say('Undo') },
  rescue: {
    title: say('Rescue this wallet'),
    lead: say('Makes a new wallet from what is intact.'),
    button: say('Rescue'),
  },
  rescan: {
    title: say('Rescan everything'),
    lead: say('Searches the blocks for payments.'),
    button: say('Rescan'),
  },
  'put-back': {
    title: say('Put the old wallet back'),
    lead: HALF_IS_KEPT,
    button: say('Put it back'),
  },
};

/** For a node that loads no legacy wallet. */
const PUT_BACK_AND_MIGRATE = `${say('The app then migrates it again.')} ${HALF_IS_KEPT}`;

/** Why a plan cannot run yet, in a sentence, or null. `hasPassphrase`: whether one is typed. */
export function blockerText(plan: Pick<Plan, 'checks' | 'asks'>, hasPassphrase: boolean): string | null {
  const blocker = findBlocker(plan, hasPassphrase);
  if (blocker === null) return null;
  return 'check' in blocker ? blocker.check.title : REQUIRED[blocker.ask];
}

export const PASSPHRASE_LACKING = say('Type the passphrase.');

const REQUIRED: Readonly<Record<RequiredQuestion, string>> = {
  passphrase: PASSPHRASE_LACKING,
  'own-copy': say('Confirm your copy.'),
  'read-loss': say('Confirm what the rehearsal found.'),
  'bitcoin-keys': say('Confirm that its keys are Bitcoin’s.'),
  'closed-elsewhere': say('Confirm that it is closed.'),
};

/** `Ready. Warnings: 1`, or the first thing that stops it. */
export function readinessOf(
  plan: Plan,
  hasPassphrase: boolean,
): { tone: 'good' | 'read' | 'stop'; text: string } {
  const stop = blockerText(plan, hasPassphrase);
  if (stop !== null) return { tone: 'stop', text: stop };
  const warnings = plan.checks.filter(({ verdict }) => verdict === 'warning').length;
  if (warnings === 0) return { tone: 'good', text: say('Ready') };
  return { tone: 'read', text: say('Ready. Warnings: {count, number}', { count: warnings }) };
}

/** `Result: 1 wallet, 12 addresses with a balance, 134 keys`, or a rescan's blocks and duration; null if unknown. */
export function resultText({ kind, checks, makes, facts }: Plan): string | null {
  const blocks = kind === 'rescan' && checks.find(({ id, verdict }) => id === 'rescan' && verdict === 'fine');
  if (blocks) return `${blocks.title}. ${blocks.text.join(' ')}`;
  const certain = makes.filter((one) => one.certain).length;
  if (makes.length === 0) return null;
  if (certain === 0) return say('Result: up to {wallets}', { wallets: counted.wallets(makes.length) });
  const { contents } = facts;
  const addresses = contents ? contents.balance.spendable.addresses + contents.balance.watched.addresses : 0;
  const keys = contents ? contents.keys.plain + contents.keys.encrypted : 0;
  return joinList([
    resultCount(certain),
    ...(addresses === 0
      ? []
      : [say('{addresses} with a balance', { addresses: counted.addresses(addresses) })]),
    ...(keys === 0 ? [] : [counted.keys(keys)]),
  ]);
}

/** What an undo does with the names. `renames`: whether the wallets of the migration make room. */
export function undoWords(renames: boolean): string {
  return renames
    ? say('The old wallet gets its name back; the new ones are renamed.')
    : say('The old wallet returns under a new name; the new ones stay.');
}

/** `Result: 1 wallet`. */
export function resultCount(count: number): string {
  return say('Result: {wallets}', { wallets: counted.wallets(count) });
}

/** `Bitcoin Core 28.1 at 127.0.0.1:8332, main network`. */
export function planNodeText({ node: { label, network, offline, release } }: Plan): string {
  return offline
    ? say('Without a node, on {network}', { network: networkName(network) })
    : say('{label}, release {release}, {network}', {
        label,
        release: release.text,
        network: networkName(network),
      });
}

/** The method, then each argument as sent in JSON, with its name if it has one. */
export function callText({ method, params }: Pick<PlannedCall, 'method' | 'params'>): string {
  const parts = Array.isArray(params)
    ? params.map((param) => JSON.stringify(param))
    : Object.entries(params).map(([name, param]) => `${name}=${JSON.stringify(param)}`);
  return [method, ...parts].join(' ');
}

/** Whether coins may be on descriptors that a rescue cannot read without the passphrase, or all transactions may be lost. */
export function isBalanceUnknown({ facts: { rescue } }: Plan): boolean {
  if (!rescue) return false;
  return (rescue.sealedDescriptors ?? 0) > 0 || (rescue.saved.transactions === 0 && hasLosses(rescue));
}

/** For one line: the last known spendable balance of the file; null if the app cannot see the file, or not all of its coins. */
export function balanceText(plan: Plan): string | null {
  const { facts, node } = plan;
  if (facts.contents === null || isBalanceUnknown(plan)) return null;
  return formatBitcoin(mainBalance(facts.contents).total, node.network);
}

export const VERDICTS: Readonly<Record<Check['verdict'], string>> = {
  fine: say('Passed'),
  unseen: say('Not known'),
  warning: say('Warning'),
  blocker: say('Stop'),
};

export function checksPassed(count: number): string {
  return say('Checks passed: {count, number}', { count });
}
