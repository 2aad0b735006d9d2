import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNameProblem } from '../../../shared/model/names/walletName.ts';
import { suggestName } from './suggestName.ts';

const HOME = '/home/alice';

describe('suggestedName', () => {
  it.each([
    ['/home/alice/.bitcoin/wallets/savings/wallet.dat', 'savings'],
    ['/media/alice/STICK/2014 wallet/wallet.dat', '2014 wallet'],
    ['/home/alice/.bitcoin/wallet.dat', 'old-wallet'],
    ['/home/alice/.bitcoin/regtest/wallets/wallet.dat', 'old-wallet'],
    ['/home/alice/.bitcoin/regtest/wallet.dat', 'old-wallet'],
    ['/home/alice/Desktop/wallet.dat', 'old-wallet'],
    ['/home/alice/Downloads/WALLET.DAT', 'old-wallet'],
    ['/mnt/old/Backup/wallet.dat', 'old-wallet'],
    ['/home/alice/wallet.dat', 'old-wallet'],
    ['/home/bob/wallet.dat', 'old-wallet'],
    ['/Users/carol/wallet.dat', 'old-wallet'],
    ['/wallet.dat', 'old-wallet'],
    ['/w/savings_1795180650.legacy.bak', 'savings'],
    ['/w/savings/savings-1795180650.legacy.bak', 'savings'],
    ['/w/my_old-one_1795180650.legacy.bak', 'my_old-one'],
    ['/w/Ersparnisse für später 💰_1795180650.legacy.bak', 'Ersparnisse für später 💰'],
    ['/w/-1795180650.legacy.bak', 'old-wallet'],
    ['/w/old.dat', 'old'],
    ['/w/old.bak', 'old'],
    ['/w/old.dat.bak', 'old'],
    ['/w/pasted-keys.txt', 'pasted-keys'],
    ['/w/listed.json', 'listed'],
    ['/w/no ending', 'no ending'],
    ['/w/v1.2 of mine', 'v1.2 of mine'],
    ['/w/what? "a" name*.dat', 'what a name'],
    ['/w/.hidden.bak', 'hidden'],
    ['/w/.dat', 'old-wallet'],
    ['/w/NUL.dat', 'old-wallet'],
    // Bitcoin Core keeps something else under these names.
    ['/w/wallets.dat', 'old-wallet'],
    ['/w/Wallets.bak', 'old-wallet'],
    ['/w/database/wallet.dat', 'old-wallet'],
    ['/w/database_1795180650.legacy.bak', 'old-wallet'],
    ['/w/signet.dat', 'signet'],
    ['/w/signet savings.dat', 'signet savings'],
    ['/w/con .x', 'old-wallet'],
    ['/w/savings \u202etxt\u200b.dat', 'savings txt'],
    ['/w/\u001b]0;owned\u0007.dat', ']0;owned'],
  ])('%s → %s', (path, name) => {
    expect(suggestName(path, HOME)).toBe(name);
  });

  it('is always a name that every system can store', () => {
    const part = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(part, part, (folder, file) => {
        const name = suggestName(`/${folder}/${file}`, HOME);
        for (const platform of ['linux', 'darwin', 'win32'] as const) {
          expect(findNameProblem(name, { taken: [], platform })).toBeNull();
        }
      }),
    );
  });
});
