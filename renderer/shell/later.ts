/** The parts of the page that its first screen does without: one script, which `App.tsx` loads. */

export { Batch } from '../screens/batch/Batch.tsx';
export { Connect } from '../screens/connect/Connect.tsx';
export { Help } from '../screens/help/Help.tsx';
export { History } from '../screens/history/History.tsx';
export { Settings } from '../screens/settings/Settings.tsx';
export { WalletPage } from '../screens/wallet/WalletPage.tsx';
export { Wallets } from '../screens/wallets/Wallets.tsx';
export { CommandPalette } from './CommandPalette.tsx';
export { FileDialog, SyncedFolder } from './FileDialog.tsx';
