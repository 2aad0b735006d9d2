/** Prints a plan, as the page shows it. */
import { type Ask, checksOf, type Plan, type PlannedCall, type Rehearsal } from '../../shared/model/plan.ts';
import type { Check } from '../../shared/model/safety.ts';
import { counted } from '../../shared/wording/format/counted.ts';
import { quotedWallet } from '../../shared/wording/format/walletLabel.ts';
import { renameText, SET_ASIDE } from '../../shared/wording/interruptionWords.ts';
import { indented, rows, section } from '../../shared/wording/lines.ts';
import { PART_TITLES } from '../../shared/wording/migratedWallets.ts';
import {
  actionWords,
  callText,
  checksPassed,
  nodeOf,
  resultOf,
  standingOf,
  VERDICTS,
} from '../../shared/wording/planWords.ts';
import { say } from '../../shared/wording/say.ts';
import { answerText, isOpen } from './answerOptions.ts';
import { contentsRows } from './walletLines.ts';

interface PlanLinesOptions {
  /** Whether to show the calls. */
  readonly calls: boolean;
  readonly hasPassphrase: boolean;
}

export function planLines(plan: Plan, { calls, hasPassphrase }: PlanLinesOptions): string[] {
  const { action, wallet, facts, makes, movedWallets = [], copies } = plan;
  const result = resultOf(plan);
  return [
    `${actionWords(action, plan).title}: ${quotedWallet(wallet)}`,
    ...indented(
      rows([
        [say('Node'), nodeOf(plan)],
        [say('File'), facts.path],
        [say('SHA-256'), facts.sha256],
        ...(facts.contents === null ? [] : contentsRows(facts.contents)),
      ]),
    ),
    ...section(say('Checks'), checkLines(plan)),
    ...section(
      say('Still needed'),
      plan.asks.flatMap((ask) => askLine(ask, hasPassphrase) ?? []),
    ),
    ...section(
      result ?? '',
      makes.map(({ part, name, descriptors, certain }) =>
        [
          quotedWallet(name),
          PART_TITLES[part],
          ...(descriptors === null ? [] : [counted.descriptors(descriptors)]),
          ...(certain ? [] : [say('perhaps')]),
        ].join(' · '),
      ),
    ),
    ...section(
      SET_ASIDE,
      movedWallets.flatMap((one) => [renameText(one), ...(one.path === null ? [] : indented([one.path]))]),
    ),
    ...section(
      say('Copies'),
      copies.flatMap(({ text, folder }) => [text, ...(folder === null ? [] : indented([folder]))]),
    ),
    ...(calls ? section(say('Calls'), [...plan.sent, ...plan.calls].map(callLine)) : []),
    '',
    standingOf(plan, hasPassphrase).text,
  ];
}

/** Prints the wallets that a rehearsed migration created. */
export function rehearsalLines({ wallets }: Rehearsal): string[] {
  return section(
    say('Wallets of the rehearsal'),
    wallets.map(({ part, name, found }) =>
      [
        quotedWallet(name),
        PART_TITLES[part],
        counted.descriptors(found.descriptors.total),
        counted.transactions(found.transactions.total),
      ].join(' · '),
    ),
  );
}

/** Prints blockers and warnings in full, with what to do; counts the checks that passed. */
function checkLines(plan: Plan): string[] {
  const all = checksOf(plan);
  const important = all.filter(({ verdict }) => verdict === 'blocker' || verdict === 'warning');
  const unseen = all.filter(({ verdict }) => verdict === 'unseen');
  const passed = all.length - important.length - unseen.length;
  return [
    ...important.flatMap(checkLine),
    ...unseen.map(({ title, verdict }) => `${VERDICTS[verdict]}: ${title}`),
    ...(passed === 0 ? [] : [checksPassed(passed)]),
  ];
}

function checkLine({ verdict, title, text, todo }: Check): string[] {
  return [
    `${VERDICTS[verdict]}: ${title}`,
    ...indented(text.flatMap((paragraph) => paragraph.split('\n'))),
    ...indented(todo.flatMap((one) => `→ ${one}`.split('\n'))),
  ];
}

/** Names the option that answers an open ask; null for an answered one. */
function askLine(ask: Ask, hasPassphrase: boolean): string | null {
  if (ask.ask === 'passphrase' && ask.openOnly && !hasPassphrase) {
    const options = '--passphrase-fd N, --open-only';
    return ask.openOnly.value
      ? null
      : say('The passphrase, or only the keys that need none: {options}', { options });
  }
  if (ask.ask === 'passphrase' && !ask.needed && !hasPassphrase)
    return say('If encrypted, the passphrase: run asks, or {option}', { option: '--passphrase-fd N' });
  return isOpen(ask, hasPassphrase) ? answerText(ask) : null;
}

function callLine({ wallet, when, ...call }: PlannedCall): string {
  const on = wallet === null ? '' : ` (${quotedWallet(wallet)})`;
  return `${callText(call)}${on}${when === null ? '' : `: ${when}`}`;
}
