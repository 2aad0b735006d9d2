/** What a made-up wallet file shows: keys that do not fit each other, and addresses that it has no keys to. */
import type { FileProblem } from '../../../shared/inspection.ts';
import type { Network } from '../../../shared/network.ts';
import { say } from '../../../shared/text/say.ts';
import { byteText } from '../bytes/byteText.ts';
import { problemOf } from '../database/problemLog.ts';
import { publicKeyOf } from '../key/extendedKey.ts';
import { belongsTo, readStoredKey, type StoredKey } from '../key/privateKey.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import { scriptIfAddress } from '../script/address.ts';

/** In plain sentences; none for an honest wallet. `network` is the one that its addresses are written for, or null. */
export function forgedKeys(wallet: LegacyWallet, network: Network | null): FileProblem[] {
  const { records } = wallet;
  const problems: string[] = [];
  const misfits = records.of('key').slice(0, MOST_TRIED).filter(isMisfit).length;
  if (misfits > 0) problems.push(say('Private keys that do not fit: {count, number}.', { count: misfits }));
  const sealed = records.of('ckey');
  // Each is encrypted with an initial vector of its own public key.
  if (new Set(sealed.map(({ encrypted }) => byteText(encrypted))).size < sealed.length)
    problems.push(say('Encrypted keys repeat: they are made up.'));
  const keyless = network === null ? 0 : keylessAddresses(wallet, network);
  if (keyless > 0 && wallet.keys.all.length === 0)
    problems.push(say('This file has addresses and no keys to them.'));
  else if (keyless > 0)
    problems.push(say('Own addresses without a key: {count, number}.', { count: keyless }));
  return problems.map((text) => problemOf(text, 'whole'));
}

/** Each takes a tenth of a millisecond or more, and who makes up keys does not begin with honest ones. */
const MOST_TRIED = 500;

/** With a right checksum: another one is damage, which is told elsewhere. */
function isMisfit(record: StoredKey): boolean {
  const key = readStoredKey(record);
  if (!key) return false;
  try {
    return key.compressed
      ? byteText(publicKeyOf(key.privateKey)) !== byteText(record.publicKey)
      : !belongsTo(key.privateKey, record.publicKey);
  } catch {
    return true;
  } finally {
    key.privateKey.fill(0);
  }
}

/** Those that the address book says were given out to be paid at. */
function keylessAddresses({ records, of }: LegacyWallet, network: Network): number {
  return records
    .of('purpose')
    .filter(({ purpose }) => purpose === 'receive')
    .filter(({ address }) => {
      const script = scriptIfAddress(address, network);
      return script !== null && of(script) === null;
    }).length;
}
