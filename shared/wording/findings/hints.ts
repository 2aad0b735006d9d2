/** Advice that several findings share. */
import { say } from '../say.ts';

export const unchanged = () => say('Nothing was changed.');
export const keepFile = () => say('Nothing was changed. Keep the file, and try another copy of this backup.');
export const otherFile = () => say('Nothing was changed. Choose another file.');
export const otherWallet = () => say('Nothing was changed. Choose another wallet.');
export const otherLog = () => say('Choose its folder “database”, or rescue without.');
export const askForHelp = () => say('Nothing was changed. Make a report in History and ask for help.');
export const makeRoom = () => say('Nothing was changed. Make room and try again.');
export const connectDisk = () => say('Nothing was changed. Connect the disk, or choose another place.');
export const checkDescriptor = () => say('Nothing was changed. Check that the descriptor is complete.');
export const givePassphrase = () =>
  say('Nothing was changed. An encrypted wallet needs its passphrase for this.');
