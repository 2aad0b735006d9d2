/** Puts the test node's own folder, names and time into recorded texts. */

export interface Substitution {
  dataFolder: string;
  /** The wallet's name in the recording and the one asked for now. */
  from: string;
  to: string;
  /** Unix seconds of the call, which name its backup. */
  time?: number;
}

/**
 * A recorded text as this node would say it. Names of the parts (`<name>_watchonly`) and of backups begin with
 * the wallet's name and follow it. The unnamed wallet is called `default wallet` in the log (release 25 to 31)
 * and `default_wallet` in file names, and lies in the wallets folder itself.
 */
export function substitute(
  text: string,
  { dataFolder, from, to, time = nowSeconds() }: Substitution,
): string {
  const named =
    from === '' || from === to ? text : to === '' ? unnamed(text, from) : text.replaceAll(from, () => to);
  return named
    .replaceAll('{DATADIR}', () => dataFolder)
    .replace(/\d{10}(?=\.legacy\.bak)/g, () => String(time));
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function unnamed(text: string, from: string): string {
  if (text === from) return '';
  return text
    .replaceAll(`[${from}]`, '[default wallet]')
    .replaceAll(`/wallets/${from}/${from}-`, '/wallets/-')
    .replaceAll(`/wallets/${from}/`, '/wallets/')
    .replaceAll(`${from}_`, 'default_wallet_')
    .replaceAll(`Releasing wallet ${from}`, 'Releasing wallet ')
    .replaceAll(`/wallets/${from}`, '/wallets')
    .replaceAll(`"${from}"`, '""');
}
