import { describe, expect, it } from 'vitest';
import { readSqlite } from '../../walletfile/database/readSqlite.ts';
import { warmUpMigrating } from './heavyWarmUp.ts';

describe('warming up', () => {
  it('migrates a whole wallet, and gives a file that can be loaded', async () => {
    const file = await warmUpMigrating(() => false);
    if (!file) throw new Error('no file');
    const { records, network, problems } = await readSqlite(file);
    expect({ network, problems }).toEqual({ network: 'regtest', problems: [] });
    const descriptors = records.filter(({ key }) =>
      Buffer.from(key).subarray(1).toString('latin1').startsWith('walletdescriptorkey'),
    );
    expect(descriptors.length).toBeGreaterThan(500);
  });

  it('ends as soon as there is work', async () => {
    let asked = 0;
    const wanted = () => {
      asked += 1;
      return asked > 3;
    };
    expect(await warmUpMigrating(wanted)).toBeNull();
    expect(asked).toBeLessThan(10);
  });
});
