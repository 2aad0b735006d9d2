/** Checks of the wallet itself before a migration: its existence, contents, passphrase, and the names that it needs. */
import { AppError } from '../../../shared/model/errors.ts';
import {
  type InspectedLabel,
  isWrongPassphrase,
  type PassphraseVerdict,
  rightVariant,
} from '../../../shared/model/inspection.ts';
import { visibleText } from '../../../shared/model/names/visibleText.ts';
import { similarNames } from '../../../shared/model/names/walletName.ts';
import type { Check, CheckId } from '../../../shared/model/safety.ts';
import { coinAdvice, coinEvidence, coinTitle } from '../../../shared/wording/findings/fileKindWords.ts';
import { findingText } from '../../../shared/wording/findings/findingWords.ts';
import { asSentence } from '../../../shared/wording/findings/hints.ts';
import { formatCount } from '../../../shared/wording/format/formatNumber.ts';
import {
  anyNetwork,
  nameInSentence,
  networkName,
  quotedWallet,
} from '../../../shared/wording/format/names.ts';
import { allOf, oneOf } from '../../../shared/wording/format/perRegion.ts';
import { mayMissEntries, PASSPHRASE_VERDICTS } from '../../../shared/wording/inspectionWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { companionNames, needsLongName } from '../../walletfile/migrate/companionNames.ts';
import {
  blocker,
  type CommonFacts,
  contentsOf,
  type FileInspection,
  fine,
  type MigrationFacts,
  type PlanFacts,
  type RestoreFacts,
  unseen,
  warning,
} from './checkFacts.ts';
import { OWN_READER } from './hazards.ts';

/** Refuses a file that an interrupted migration left incomplete. Null for a whole one. */
export function checkComplete(fileInspection: FileInspection): Check | null {
  return (contentsOf(fileInspection)?.incomplete ?? null) === null ? null : incompleteWalletCheck();
}

/** The check of a wallet that a migration left incomplete. */
export function incompleteWalletCheck(): Check {
  return blocker('interrupted', say('Migration interrupted'), {
    todo: [say('Incomplete wallet. Put the old one back.')],
  });
}

export function isWalletMissing({ name, onDisk, loaded }: MigrationFacts): boolean {
  return !onDisk.includes(name) && !loaded.includes(name);
}

export function checkExists(facts: MigrationFacts): Check {
  const { name, onDisk, loaded, fileInspection, info, isLinked, status } = facts;
  if (isWalletMissing(facts)) {
    return missingWalletCheck(name, [...onDisk, ...loaded]);
  }
  if (isLinked && status.offline) return linkedCheck();
  if (info?.descriptors === true || contentsOf(fileInspection)?.kind === 'descriptor') {
    return blocker('wallet-exists', say('Already a descriptor wallet'), {
      text: [say('Nothing to migrate.')],
    });
  }
  return fine('wallet-exists', say('Wallet found'));
}

/** The engine writes nothing where a link leads. */
export function linkedCheck(): Check {
  return blocker('wallet-exists', say('Linked from elsewhere'), {
    todo: [say('Move it into the wallets folder.')],
  });
}

/** `names`: all existing wallets. */
export function missingWalletCheck(name: string, names: readonly string[]): Check {
  const near = similarNames(name, [...new Set(names)]);
  const unnamed = names.includes('') && near.length === 0 ? [''] : [];
  const suggestions = [...near, ...unnamed].map(nameInSentence);
  return blocker('wallet-exists', say('No wallet of this name'), {
    text: [
      ...(names.length === 0 ? [say('No wallets here.')] : []),
      ...(suggestions.length === 0 ? [] : [say('Did you mean {near}?', { near: oneOf(suggestions) })]),
    ],
    todo: [say('Check the wallet list.')],
  });
}

export function checkReadable({ fileInspection, status }: MigrationFacts): Check {
  if (fileInspection.state === 'out-of-reach') {
    return warning('file-readable', say('The app cannot read the file'), {
      text: [say('Its contents and each script stay unchecked.')],
      todo: status.local ? [] : [say('Safer: run the app on the node’s machine.')],
    });
  }
  return (
    checkUnreadParts('file-readable', fileInspection, say('Look for another copy.')) ??
    fine('file-readable', say('File is readable'))
  );
}

/** Reports a file with unreadable parts; null if everything could be read. `todo`: advice about lost parts. */
export function checkUnreadParts(
  id: CheckId,
  fileInspection: FileInspection,
  todo: string,
  isCutShort = false,
): Check | null {
  if (fileInspection.state === 'unreadable') {
    return warning(id, say('The app cannot read the file'), {
      text: [fileInspection.error.message, fileInspection.error.hint],
      todo: [say('The node may fail to read it too.')],
    });
  }
  const lost = contentsOf(fileInspection)?.problems.filter((problem) => problem.lost) ?? [];
  if (!isCutShort && lost.length === 0) return null;
  return warning(id, isCutShort ? say('The file is cut short') : say('Partly unreadable'), {
    text: lost.slice(0, 10).map(({ finding }) => findingText(finding)),
    todo: [todo],
  });
}

/** “LSNs are not reset”: `src/wallet/migrate.cpp` from release 28 on, measured on 29.3. */
export function checkClosed({ fileInspection, status, loaded, name }: CommonFacts): Check {
  const format = contentsOf(fileInspection)?.file.format ?? null;
  const title = say('File is clean');
  if (format === null) {
    return unseen('not-closed', title, {
      text: status.release.loadsLegacy ? [] : [say('Release 30 and later refuse an unclosed file.')],
    });
  }
  const isOpen = loaded.includes(name) && !status.offline;
  if (format.kind !== 'berkeley-db' || isOpen || format.cleanlyClosed) {
    return fine('not-closed', title);
  }
  const text = [say('Its last changes may be in its “database” folder.')];
  const { number, loadsLegacy } = status.release;
  const unclean = say('Not closed cleanly');
  if (status.offline) return blocker('not-closed', unclean, { text, todo: [IN_AN_OLD_RELEASE] });
  // bitcoin/bitcoin#35227
  if (format.onlyLastUnclean && number >= OWN_READER && number < 310_100) {
    const todo = [say('This release does not notice. Find a clean copy.')];
    return warning('not-closed', unclean, { text, todo });
  }
  if (loadsLegacy) {
    const todo = [say('Load and unload it here, then migrate.')];
    return (number < OWN_READER ? warning : blocker)('not-closed', unclean, { text, todo });
  }
  return blocker('not-closed', unclean, { text, todo: [IN_AN_OLD_RELEASE] });
}

/**
 * For a restore without a migration. A release with Berkeley DB refuses an unclosed file without its log, and `restorewallet` copies
 * the file alone. None for other files, and none in the engine, which restores the file of an undo as it is.
 */
export function checkUnclosedBackup({ fileInspection, status }: CommonFacts): Check[] {
  const format = contentsOf(fileInspection)?.file.format;
  if (status.offline || !status.release.loadsLegacy || format?.kind !== 'berkeley-db') return [];
  if (format.cleanlyClosed) return [fine('not-closed', say('File is clean'))];
  return [
    blocker('not-closed', say('Not closed cleanly'), {
      text: [say('Its last changes may be in its “database” folder.')],
      todo: [say('Rescue what is intact.'), IN_AN_OLD_RELEASE],
    }),
  ];
}

const IN_AN_OLD_RELEASE = say('Load it in release 29 or earlier, with its “database” folder.');

/** bitcoin/bitcoin#35626: the node does not know which of the new wallets such a transaction belongs to. */
export function checkForeignTransactions({ fileInspection }: CommonFacts): Check {
  const title = say('No foreign transactions');
  if (fileInspection.state !== 'read') return unseen('stray-transactions', title);
  const unowned = fileInspection.inspection.migration?.unownedTransactions ?? { total: 0, shown: [] };
  if (unowned.total === 0) return fine('stray-transactions', title);
  // In a damaged file, the keys of such transactions may be lost.
  const [found, todo] = mayMissEntries(fileInspection.inspection)
    ? [
        say('Transactions without a key: {count, number}', { count: unowned.total }),
        say('Rescue what is intact.'),
      ]
    : [
        say('Foreign transactions: {transactions}', { transactions: formatCount(unowned.total) }),
        say('Release 29 or earlier can remove them (removeprunedfunds).'),
      ];
  return blocker('stray-transactions', found, {
    text: [say('Bitcoin Core refuses them.'), firstOf(unowned.shown)],
    todo: [todo],
  });
}

/** `ApplyMigrationData` in `wallet.cpp` silently drops a receiving address together with its script. */
export function checkLostAddresses({ fileInspection }: CommonFacts): Check {
  const title = say('The whole address book migrates');
  if (fileInspection.state !== 'read') return unseen('lost-addresses', title);
  const { migration, labels } = fileInspection.inspection;
  const lost = migration?.lostAddresses ?? { total: 0, shown: [] };
  if (lost.total === 0) return fine('lost-addresses', title);
  const found = say('Addresses left out: {count, number}', { count: lost.total });
  return warning('lost-addresses', found, {
    text: [
      `${say('Unspendable, or no descriptor can express them.')} ${say('Their labels are lost too.')}`,
      firstOf(lost.shown, withLabel(labels.shown)),
    ],
    todo: [say('Write down the labels you need.')],
  });
}

/** The first five addresses, ids, scripts or keys, each shortened: a script without an address can have thousands of characters. */
function firstOf(texts: readonly string[], extra: (one: string) => string = () => ''): string {
  const short = (one: string) =>
    one.length <= MAX_SHOWN_LENGTH ? one : `${one.slice(0, MAX_SHOWN_LENGTH)}…`;
  return texts
    .slice(0, 5)
    .map((one) => short(one) + extra(one))
    .join(', ');
}

/** The characters of an uncompressed public key. */
const MAX_SHOWN_LENGTH = 130;

/** ` (“Rent”)` for an address with a label. */
function withLabel(labels: readonly InspectedLabel[]): (address: string) => string {
  return (address) => {
    const { label } = labels.find((one) => one.address === address) ?? {};
    if (!label) return '';
    const characters = [...label];
    const text = characters.length <= LABEL_LENGTH ? label : `${characters.slice(0, LABEL_LENGTH).join('')}…`;
    return ` (“${visibleText(text, { spaces: true })}”)`;
  };
}

/** Characters. Each may become several when it is made visible, and a check’s text has a limit. */
const LABEL_LENGTH = 60;

/** A node silently migrates entries of the key pool whose keys are missing in the file. */
export function checkPool({ fileInspection }: CommonFacts): Check {
  const title = say('Unused addresses have their keys');
  if (fileInspection.state !== 'read') return unseen('pool-keys', title);
  const keyless = fileInspection.inspection.migration?.keylessPool ?? { total: 0, shown: [] };
  if (keyless.total === 0) return fine('pool-keys', title);
  const found = say('Unused addresses without a key: {count, number}', { count: keyless.total });
  return warning('pool-keys', found, {
    text: [say('Nothing paid to them can be spent. Public keys:'), firstOf(keyless.shown)],
    todo: [say('Look for another copy, or rescue this file.')],
  });
}

/** A node recognises another coin only by its blocks, and migrates a wallet without any as a Bitcoin wallet. */
export function checkCoin({ fileInspection }: CommonFacts): Check {
  const title = say('Bitcoin wallet');
  if (fileInspection.state !== 'read') return unseen('coin', title);
  const { coin } = fileInspection.inspection;
  if (coin.verdict === 'bitcoin') return fine('coin', title);
  const text = coinEvidence(coin);
  return coin.verdict === 'other'
    ? blocker('coin', coinTitle(coin), { text, todo: [coinAdvice(coin)] })
    : warning('coin', coinTitle(coin), { text, todo: [say('Continue only if its keys are Bitcoin’s.')] });
}

/** `isCustomSignet`: whether only a node of the file's own signet loads it. */
export function checkNetwork({ fileInspection, status }: CommonFacts, isCustomSignet = false): Check {
  const title = say('Network matches');
  if (fileInspection.state !== 'read') return unseen('network', title);
  const { candidates, name } = fileInspection.inspection.network;
  const fits =
    name === 'unknown'
      ? candidates.length === 0 || candidates.includes(status.network)
      : name === status.network;
  if (fits && !isCustomSignet) return name === 'unknown' ? unseen('network', title) : fine('network', title);
  return blocker('network', say('Another network’s wallet'), {
    text: [
      say('Wallet: {ofFile}. Node: {ofNode}.', {
        ofFile: isCustomSignet
          ? say('Custom signet')
          : name === 'unknown'
            ? anyNetwork(candidates)
            : networkName(name),
        ofNode: networkName(status.network),
      }),
    ],
    todo: [say('Connect to a node on its network.')],
  });
}

export function checkOpenElsewhere({ openElsewhere, loaded, name }: MigrationFacts): Check {
  if (openElsewhere) return inUseCheck('loaded-elsewhere', openElsewhere);
  const title = say('Not open in another program');
  if (openElsewhere === null && !loaded.includes(name))
    return unseen('loaded-elsewhere', title, { text: [say('The app cannot see this here.')] });
  return fine('loaded-elsewhere', title);
}

/** For a wallet that a program other than the node in use has open; `perhaps`: there are signs that one has or had. */
export function inUseCheck(id: CheckId, open: true | 'perhaps' = true): Check {
  const todo = [say('Close it there, then check again.')];
  const why = open === true ? say('Two programs can damage a wallet.') : say('The app cannot see this here.');
  if (open === 'perhaps') return warning(id, say('May be open in another program'), { text: [why], todo });
  return blocker(id, say('Another program has this wallet open'), { text: [why], todo });
}

/** Before a migration: the names that it will need, as far as the file shows. */
export function checkNeededNames(facts: MigrationFacts): Check {
  const { name, fileInspection } = facts;
  if (needsLongName(name)) return tooLongName(say('Unload and rename that wallet, then check again.'));
  const preview = contentsOf(fileInspection)?.migration ?? null;
  const needed = companionNames(name, [
    ...(preview?.watchOnly === null ? [] : ['watchonly' as const]),
    ...(preview?.solvables === null ? [] : ['solvables' as const]),
  ]);
  const taken = needed.filter((each) => isTaken(each, facts));
  if (taken.length === 0) return fine('names-taken', say('Needed names are free'));
  const words = {
    text: [takenWords(taken), say('The migration would fail and change nothing.')],
    todo: [
      taken.some((each) => facts.blockedCompanions.includes(each) && !facts.onDisk.includes(each))
        ? say('Rename that file or folder, then check again.')
        : say('Unload and rename that wallet, then check again.'),
    ],
  };
  return preview === null
    ? warning('names-taken', say('A name may be taken'), words)
    : blocker('names-taken', say('A needed name is taken'), words);
}

/** Before a restore, the user can choose a name for which all companion names are free. */
export function checkCompanionNames(facts: RestoreFacts): Check {
  const { name, renames } = facts;
  const needed = companionNames(name);
  if (needsLongName(name)) return tooLongName(say('Choose a shorter name.'));
  const renamed = new Set(renames.map((one) => one.name));
  const taken = needed.filter((each) => !renamed.has(each) && isTaken(each, facts));
  if (taken.length === 0) return fine('names-taken', say('Needed names are free'));
  return blocker('names-taken', say('A name may be taken'), {
    text: [takenWords(taken)],
    todo: [say('Choose another name.')],
  });
}

function tooLongName(todo: string): Check {
  return blocker('names-taken', say('The name is too long'), { todo: [todo] });
}

function isTaken(
  companion: string,
  { onDisk, loaded, blockedCompanions }: MigrationFacts | RestoreFacts,
): boolean {
  return [onDisk, loaded, blockedCompanions].some((names) => names.includes(companion));
}

function takenWords(names: readonly string[]): string {
  return say('Taken: {wallets}.', { wallets: allOf(names.map(quotedWallet)) });
}

/** `verdict`: null for a file that the app cannot read. Offline, a zero byte ends the passphrase, as before release 25. */
export function checkPassphrase(
  verdict: PassphraseVerdict | null,
  { passphrase, offline }: { passphrase: string; offline: boolean },
): Check {
  if (verdict === null && passphrase.includes('\0')) {
    return warning('passphrase', say('The passphrase contains a zero byte'), {
      todo: [say('If set before release 25, try only the part before the zero byte.')],
    });
  }
  if (verdict === 'right' || (verdict === 'right-cut-at-zero' && offline)) {
    return fine('passphrase', PASSPHRASE_VERDICTS.right.title);
  }
  if (verdict === null) return unseen('passphrase', say('Only the node can try it'));
  const { title, text } = PASSPHRASE_VERDICTS[verdict];
  if (verdict === 'not-encrypted') return warning('passphrase', title, { text: [text] });
  const variant = rightVariant(verdict);
  const decide = isWrongPassphrase(verdict) ? blocker : unseen;
  return { ...decide('passphrase', title, { todo: [text] }), ...(variant && { variant }) };
}

/** Throws AppError `wrong_passphrase` if the file proves it. The node decides about what the app cannot try. */
export function refusePassphrase(facts: PlanFacts, passphrase: string | undefined): void {
  if (
    passphrase === undefined ||
    facts.kind === 'restore' ||
    facts.kind === 'backup' ||
    facts.kind === 'rescan'
  )
    return;
  const contents = contentsOf(facts.fileInspection);
  if (!contents?.encryption) return;
  const { offline } = facts.status;
  const { verdict, title, text, todo } = checkPassphrase(contents.passphrase, { passphrase, offline });
  if (verdict !== 'blocker') return;
  throw new AppError(
    'wrong_passphrase',
    asSentence(title),
    [say('Nothing was sent.'), ...text, ...todo].join(' '),
  );
}
