/** The terminal's lines for the nodes of this computer, the wallets of one node, the contents of a wallet file, and a plan. */
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { type FileFacts, isTemporaryPath } from '../../shared/model/files.ts';
import type { FileKind } from '../../shared/model/findings/fileKinds.ts';
import { type Inspection, needsRescue } from '../../shared/model/inspection.ts';
import { type Job, jobInOtherFolder } from '../../shared/model/job.ts';
import { walletArgument } from '../../shared/model/names/visibleText.ts';
import { authorityOf, type FoundNode, isBehind, type NodeStatus } from '../../shared/model/node.ts';
import {
  checksOf,
  type Plan,
  type PlannedCall,
  type Question,
  type Rehearsal,
} from '../../shared/model/plan.ts';
import type { Check, Interruption } from '../../shared/model/safety.ts';
import type { Wallet } from '../../shared/model/wallet.ts';
import {
  balanceLine,
  balanceWords,
  listedBalance,
  walletBalance,
} from '../../shared/wording/balanceWords.ts';
import { kindGroups } from '../../shared/wording/findings/fileKindWords.ts';
import { findingText } from '../../shared/wording/findings/findingWords.ts';
import { stopsOfEveryNode } from '../../shared/wording/findings/migrationWords.ts';
import { counted, formatCount, formatExactSize } from '../../shared/wording/format/formatNumber.ts';
import { KIND_NAMES, networkName, quotedWallet } from '../../shared/wording/format/names.ts';
import { joinList, joinWithSemicolons } from '../../shared/wording/format/perRegion.ts';
import {
  birthWords,
  contentsWords,
  encryptionWords,
  flagWords,
  keyRows,
  kindWords,
  networkWords,
} from '../../shared/wording/inspectionWords.ts';
import {
  copyOfThisWallet,
  interruptionWords,
  NOT_IN_USE,
  noCopyWords,
  otherFolderText,
  renameText,
  restoredAsWords,
} from '../../shared/wording/interruptionWords.ts';
import { errorLines, indented, rows, section, table } from '../../shared/wording/lines.ts';
import {
  callText,
  checksPassed,
  isBalanceUnknown,
  planNodeText,
  planTitle,
  readinessOf,
  resultText,
  undoWords,
  VERDICTS,
} from '../../shared/wording/planWords.ts';
import { PART_TITLES, plannedWalletWords, previewedWallets } from '../../shared/wording/proofWords.ts';
import { say } from '../../shared/wording/say.ts';
import { DAMAGED, fileVerdict } from '../../shared/wording/verdictWords.ts';
import { adviceLines } from './connect.ts';
import { answerText, commandLines, IS_WINDOWS, isOpen, quotedPath, rescueCommand } from './usage.ts';

/** What the app takes, and what it names, with advice. */
export function kindLines(kinds: readonly FileKind[]): string[] {
  const { supported, others } = kindGroups(kinds);
  return [
    say('Supported files'),
    ...indented(supported),
    say('Other files'),
    ...others.flatMap(({ advice, kinds: names }) => indented([advice, ...indented([names])])),
  ];
}

/** The balances of the offline engine, and of a node that is behind, are the last known ones. */
export function walletLines(
  wallets: readonly Wallet[],
  node: NodeStatus,
  { program, jobs }: { readonly program: string; readonly jobs: readonly Job[] },
): string[] {
  const { network, offline } = node;
  const lost = jobInOtherFolder(jobs, node, wallets);
  const lostLines = lost === null ? [] : [otherFolderText(lost.wallet)];
  if (wallets.length === 0) return lost === null ? [say('No wallets yet')] : lostLines;
  const heads = [say('Wallet'), say('Kind'), say('Encrypted'), say('Loaded'), say('Balance')];
  const body = wallets.map((wallet) => {
    const { main, watched, spendable } = listedBalance(wallet, node);
    return [
      quotedWallet(wallet.name),
      wallet.interruption?.restoredAs === undefined
        ? (KIND_NAMES[wallet.kind] ?? say('Not known'))
        : NOT_IN_USE,
      yesOrNo(wallet.encrypted),
      yesOrNo(wallet.loaded),
      joinList([
        walletBalance(main, network, offline || wallet.fromFile || isBehind(node)),
        spendable ?? false,
        watched ?? false,
      ]),
    ];
  });
  const notes = wallets.flatMap(({ name, warnings, problem, interruption, damagedFile }) => {
    const lines = [
      ...warnings,
      ...interruptionNotes(interruption, program),
      ...(damagedFile ? [DAMAGED.text, `→ ${rescueCommand(program, damagedFile)}`] : []),
      ...(problem === null ? [] : errorLines(problem)),
    ];
    return lines.length === 0 ? [] : ['', quotedWallet(name), ...indented(lines)];
  });
  return [...lostLines, ...table([heads, ...body]), ...notes];
}

function interruptionNotes(interruption: Wallet['interruption'], program: string): string[] {
  if (interruption?.restoredAs !== undefined) return [restoredAsWords(interruption.restoredAs)];
  if (interruption?.copies !== 0) return [];
  const { toRescue } = interruption;
  return [noCopyWords(interruption), ...(toRescue ? [`→ ${rescueCommand(program, toRescue)}`] : [])];
}

export function nodeLines(nodes: readonly FoundNode[]): string[] {
  if (nodes.length === 0) return [say('No node found on this computer')];
  const lines = nodes.map(({ network, address, dataFolder, state }) => [
    networkName(network),
    `http://${authorityOf(address)}`,
    stateOf(state),
    dataFolder,
  ]);
  return [...table(lines), ...adviceLines(nodes)];
}

function stateOf(state: FoundNode['state']): string {
  switch (state.state) {
    case 'ready':
      return say('Bitcoin Core {release}', { release: state.node.release.text });
    case 'asks-login':
      return say('Asks for a login');
    case 'starting':
      return say('Starting up');
    case 'failed':
      return state.error.message;
  }
}

function yesOrNo(answer: boolean | null): string {
  if (answer === null) return say('Not known');
  return answer ? say('Yes') : say('No');
}

interface InspectionMore {
  /** Of an incomplete wallet. */
  readonly interruption: Interruption | null;
  /** Of a text with keys. */
  readonly facts?: FileFacts | null;
  readonly program: string;
}

/** The lines for the contents of a wallet file, as the page shows them. */
export function inspectionLines(path: string, inspection: Inspection, more: InspectionMore): string[] {
  const { interruption, facts = null } = more;
  const { file, birth, flags, problems, lastWrittenBy, migration } = inspection;
  const network = networkWords(inspection.network);
  const balance = balanceWords(inspection);
  const special = joinWithSemicolons(flags.flatMap((flag) => flagWords(flag) ?? []));
  const { when, note } = birthWords(birth);
  // Amounts in bitcoin would be wrong for another coin, and such a file cannot be migrated.
  const isBitcoins = inspection.coin.verdict !== 'other';
  const wallets = migration === null || !isBitcoins ? [] : previewedWallets(migration, null);
  return [
    path,
    fileVerdict(inspection, interruption, null, facts).text,
    ...section(
      say('Warning'),
      problemLines(
        problems.filter(({ finding }) => interruption === null || finding.code !== 'empty_wallet'),
      ),
    ),
    '',
    ...rows([
      [say('What it is'), kindWords(inspection, facts?.fileKind)],
      [say('Network'), `${network.name}. ${network.how}`],
      [say('Encrypted'), encryptionWords(inspection)],
      [say('Created'), note === null ? when : `${when}. ${note}`],
      [say('Last written by'), lastWrittenBy?.text],
      [say('Special'), special],
      [say('Size'), formatExactSize(facts?.size ?? file.size)],
      [say('Contents'), contentsWords(inspection)],
    ]),
    ...(isBitcoins
      ? section(say('Last known balance'), [
          balance.total ?? say('Not known'),
          ...balance.parts.map((part) => part.join(': ')),
          ...balance.notes,
        ])
      : []),
    ...section(say('Keys'), rows(keyRows(inspection))),
    ...section(say('After a migration'), [
      ...wallets.map(({ title, descriptors }) => `${title}: ${counted.descriptors(descriptors)}`),
      ...(isBitcoins && migration !== null ? stopsOfEveryNode(migration) : []),
    ]),
    ...section(say('Next'), [
      ...(interruption === null ? [] : toDoLines(interruption)),
      ...commandLines(nextCommands(path, inspection, more), [path]),
    ]),
  ];
}

function toDoLines(interruption: Interruption): string[] {
  const { title, hint } = interruptionWords(interruption, true);
  return [title, ...hint];
}

/** One line for all damaged pages. `--json` has each. */
function problemLines(problems: Inspection['problems']): string[] {
  const pages = new Set(problems.flatMap(({ page }) => page ?? []));
  const isFolded = pages.size > 1;
  return [
    ...(isFolded ? [`${say('Damaged pages')}: ${formatCount(pages.size)}`] : []),
    ...problems.flatMap(({ page, finding }) => (isFolded && page !== null ? [] : [findingText(finding)])),
  ];
}

/** What the window suggests for such a file. */
function nextCommands(
  path: string,
  inspection: Inspection,
  { interruption, facts, program }: InspectionMore,
): string[] {
  const { coin, incomplete, isOpen } = inspection;
  if (coin.verdict === 'other' || isOpen) return [];
  const copy = copyOfThisWallet(interruption?.copies ?? []);
  if (copy !== undefined) {
    const name = walletOf(path);
    const back =
      name === null ? `restore ${quotedPath(copy.path)}` : `put-back ${walletArgument(name, IS_WINDOWS)}`;
    return [`${program} run ${back}`];
  }
  if (incomplete === 'no-descriptors') return [];
  if (incomplete !== null || facts || needsRescue(inspection)) return [rescueCommand(program, path)];
  const command = `${program} plan restore ${quotedPath(path)}`;
  return [command, say('Without a node: {command}', { command: `${command} --offline DIR` })];
}

/** The name that a node has for the wallet in this file, by default; null outside the folders of nodes, which keep a lock in each. */
function walletOf(path: string): string | null {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (!existsSync(join(folder, '.lock'))) continue;
    const below = relative(folder, path).split(sep);
    // Old releases keep wallets in the chain folder itself.
    if (below[0] === 'wallets') below.shift();
    return (below.at(-1) === 'wallet.dat' ? below.slice(0, -1) : below).join('/');
  }
  return null;
}

/** A summary of the file in a plan. */
function contentsRows(plan: Plan): (readonly [label: string, value: string | null])[] {
  const { contents } = plan.facts;
  if (contents === null) return [];
  const balance = isBalanceUnknown(plan) ? say('Not known') : balanceLine(contents);
  return [
    [say('Kind'), kindWords(contents, plan.facts.file?.fileKind)],
    [say('Network'), networkWords(contents.network).name],
    [say('Encrypted'), encryptionWords(contents)],
    [say('Last known balance'), contents.coin.verdict === 'other' ? null : balance],
    [say('Contents'), contentsWords(contents) ?? say('Nothing that can be read')],
    [say('Created'), birthWords(contents.birth).when],
  ];
}

/** The lines for a plan, as the page shows it. `calls`: whether to show the calls. */
export function planLines(
  plan: Plan,
  { calls, hasPassphrase }: { calls: boolean; hasPassphrase: boolean },
): string[] {
  const { wallet, facts } = plan;
  const file = isTemporaryPath(facts.path) ? null : facts;
  return [
    `${planTitle(plan)}: ${quotedWallet(wallet)}`,
    ...indented(
      rows([
        [say('Node'), planNodeText(plan)],
        [say('File'), file?.path ?? null],
        [say('SHA-256'), file?.sha256 ?? null],
        ...contentsRows(plan),
      ]),
    ),
    ...section(say('Checks'), checkLines(plan)),
    ...section(
      say('Still needed'),
      plan.asks.flatMap((question) => questionLine(question, hasPassphrase) ?? []),
    ),
    ...(isStopped(plan) ? [] : outlookLines(plan)),
    ...(calls ? section(say('Calls'), [...plan.sent, ...plan.calls].map(callLine)) : []),
    '',
    readinessOf(plan, hasPassphrase).text,
  ];
}

/** Whether no answer to the plan lets it run. */
function isStopped({ checks }: Plan): boolean {
  return checks.some(({ verdict }) => verdict === 'blocker');
}

/** The resulting wallets, the other wallets that the job renames or leaves, and its copies. */
function outlookLines(plan: Plan): string[] {
  const { action, makes, movedWallets = [], copies } = plan;
  return [
    ...section(resultText(plan) ?? '', [
      ...makes.map((wallet) => `${quotedWallet(wallet.name)} · ${plannedWalletWords(wallet)}`),
      ...(action === 'undo' ? [undoWords(plan.calls.some(({ method }) => method === 'renamewallet'))] : []),
    ]),
    ...section(
      NOT_IN_USE,
      movedWallets.flatMap((one) => [renameText(one), ...(one.path === null ? [] : indented([one.path]))]),
    ),
    ...section(
      say('Copies'),
      copies.flatMap(({ text, folder }) => [text, ...(folder === null ? [] : indented([folder]))]),
    ),
  ];
}

/** The lines for the wallets that a rehearsed migration created, and whether everything arrived. */
export function rehearsalLines({ wallets }: Rehearsal, { checks }: Plan): string[] {
  const verdict = checks.find(({ id }) => id === 'rehearsal');
  return section(say('Rehearsed wallets'), [
    ...wallets.map(({ part, name, found }) =>
      [
        quotedWallet(name),
        PART_TITLES[part],
        counted.descriptors(found.descriptors.total),
        counted.transactions(found.transactions.total),
      ].join(' · '),
    ),
    ...(verdict === undefined ? [] : [verdict.title]),
  ]);
}

/** The lines for blockers and warnings in full, with what to do, and the number of checks that passed. */
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

/** Names the option that answers an open question; null for an answered one. */
function questionLine(question: Question, hasPassphrase: boolean): string | null {
  if (question.ask === 'passphrase' && question.openOnly && !hasPassphrase) {
    const options = '--passphrase-fd N, --open-only';
    return question.openOnly.value
      ? null
      : say('Passphrase, or only unencrypted keys: {options}', { options });
  }
  if (question.ask === 'passphrase' && !question.needed && !hasPassphrase)
    return say('If encrypted, the passphrase: run asks, or {option}', { option: '--passphrase-fd N' });
  return isOpen(question, hasPassphrase) ? answerText(question) : null;
}

function callLine({ wallet, when, ...call }: PlannedCall): string {
  const on = wallet === null ? '' : ` (${quotedWallet(wallet)})`;
  return `${callText(call)}${on}${when === null ? '' : `: ${when}`}`;
}
