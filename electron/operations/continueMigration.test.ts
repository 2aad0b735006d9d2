import { describe, expect, it } from 'vitest';
import { concludeMigration } from './continueMigration.ts';

const answer = { walletName: 'w', watchonlyName: null, solvablesName: null, backupPath: null };
const named = async (asked: string, walletName: string, more: Partial<typeof answer> = {}) => {
  const ending = await concludeMigration(asked, { ...answer, ...more, walletName }, true);
  if (ending.state !== 'done' || ending.result.kind !== 'migrate') throw new Error('It is not done.');
  const { watchonlyName, solvablesName } = ending.result;
  return { walletName: ending.result.walletName, watchonlyName, solvablesName };
};

describe('concludeMigration', () => {
  it('names a main wallet as the watch-only or solvables wallet that it is', async () => {
    const nothing = { watchonlyName: null, solvablesName: null };
    expect(await named('w', 'w_watchonly')).toEqual({
      ...nothing,
      walletName: 'w_watchonly',
      watchonlyName: 'w_watchonly',
    });
    expect(await named('', 'default_wallet_watchonly')).toMatchObject({
      watchonlyName: 'default_wallet_watchonly',
    });
    expect(await named('w', 'w_solvables')).toEqual({
      ...nothing,
      walletName: 'w_solvables',
      solvablesName: 'w_solvables',
    });
  });

  it('leaves a wallet with keys the main one, whatever its name ends in', async () => {
    for (const name of ['w', 'x_watchonly', '']) {
      expect(await named(name, name)).toEqual({
        walletName: name,
        watchonlyName: null,
        solvablesName: null,
      });
    }
    expect(await named('', 'default_wallet')).toMatchObject({ watchonlyName: null });
  });
});
