/** Sentences that several findings and errors share. */
import type { AppErrorShape } from '../../model/errors.ts';
import type { FactsOf } from '../../model/findings/coded.ts';
import type { fileFindings } from '../../model/findings/finding.ts';
import type { OldPassphrase } from '../../model/walletBackups.ts';
import { say } from '../say.ts';

/** Says that nothing was changed, and what to do. */
export const nothingChanged = (advice?: string) => withAdvice(say('Nothing was changed.'), advice);
/** Says that the wallet is unchanged, where something else may have changed. */
export const walletUnchanged = (advice: string) => withAdvice(say('Your wallet is unchanged.'), advice);
/** Says that the backup is unchanged, after a restore that failed. */
export const backupUnchanged = (advice?: string) => withAdvice(say('The backup file is unchanged.'), advice);
/** For a call that was not sent to the node. */
export const notSent = (advice?: string) => withAdvice(say('Nothing was sent.'), advice);
/** For a file or folder that was not read either. */
export const nothingReadOrChanged = (advice: string) =>
  withAdvice(say('Nothing was read or changed.'), advice);

export const keepFile = () => nothingChanged(say('Keep the file, and try another copy.'));
export const otherFile = () => nothingChanged(say('Choose another file.'));
export const otherWallet = () => nothingChanged(say('Choose another wallet.'));
export const otherLog = () => say('Choose its “database” folder, or continue without it.');
export const askForHelp = () => nothingChanged(say('Make a report in History and ask for help.'));
export const makeRoom = () => nothingChanged(say('Make room and try again.'));
export const connectDisk = () => nothingChanged(say('Connect the disk, or choose another place.'));
export const checkDescriptor = () => nothingChanged(say('Check that it is complete.'));
export const nodeRefuses = () => say('A node refuses the file.');
export const lookForBackup = () => say('Look in or beside the wallet’s folder for its .legacy.bak.');
export const keepAndLook = () => `${say('Keep the file.')} ${lookForBackup()}`;
export const givePassphrase = () => nothingChanged(say('Type the passphrase.'));

function withAdvice(said: string, advice?: string): string {
  return advice === undefined ? said : `${said} ${advice}`;
}

/** Says who can change the folder. The caller adds the consequence and the advice. */
export function sharedFolderText({ folder, how }: FactsOf<typeof fileFindings>['folder_shared']): string {
  return how === 'owned-by-another'
    ? say('Another user owns {folder}.', { folder })
    : say('Other users can write to {folder}.', { folder });
}

/** For keys outside the user's profile on Windows, where a file gets the rights of its folder. */
export const OTHERS_MAY_READ = say('Outside your user profile: other users might read it.');

/** For a wallet that got another passphrase since, or its first one. */
export const OLD_PASSPHRASES: Readonly<Record<OldPassphrase, string>> = {
  earlier: say('The backup needs its earlier passphrase'),
  none: say('The backup has no passphrase'),
};

/** For a backup of several wallets: another node may have wallets of the same names. */
export const OTHER_NODE: AppErrorShape = {
  code: 'not_connected',
  message: say('Connected to another node.'),
  hint: notSent(say('Connect to this wallet’s node.')),
};

/** Above the paths that the app cannot read as it lists the wallets. */
export const NOT_LISTED = say('Could not read (the list may be incomplete)');

/** A title as a sentence of its own. Some titles are sentences already. */
export function asSentence(title: string): string {
  return /[.!?:]$/.test(title) ? title : `${title}.`;
}

/** A sentence, and usually a second one with advice. */
type Words = readonly [text: string, hint?: string];

/** Words for every code of a table, made from its facts. */
export type WordsByCode<Facts, W = Words> = { readonly [C in keyof Facts]: (facts: Facts[C]) => W };
