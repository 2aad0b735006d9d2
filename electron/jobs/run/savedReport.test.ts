import { describe, expect, it } from 'vitest';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import { savedReport } from './savedReport.ts';

const WIF = 'cVpF924EspNh8KjYsfhgY96mmxvT6DgdWiTYMtMjuM74hJaU5psW';
const XPUB =
  'xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB';
const about = { version: '1.2.3', now: 1_795_200_000 };

describe('the saved report', () => {
  it('tells names, paths and hashes', () => {
    const text = savedReport(
      sampleJob({
        ...{
          kind: 'migrate',
          wallet: 'savings',
          state: 'done',
          started: 1_795_190_000,
          ended: 1_795_190_060,
        },
        result: {
          ...{ kind: 'migrate', walletName: 'savings', watchonlyName: null, solvablesName: null },
          ...{ backupPath: '/node/savings.legacy.bak', backupSeen: true },
        },
        safetyCopy: {
          ...{ id: 'c', wallet: 'savings', node: { label: 'node', network: 'main' }, made: 1 },
          ...{ how: 'copied', note: null },
          files: [{ path: '/app/copies/savings.dat', source: null, size: 1, sha256: 'ab'.repeat(32) }],
        },
        warnings: ['A warning.'],
      }),
      about,
    );
    for (const told of ['1.2.3', '“savings”', '/node/savings.legacy.bak', '/app/copies/savings.dat'])
      expect(text).toContain(told);
    // A sheet of paper is some hundred letters wide.
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(90);
    for (const told of ['ab'.repeat(32), 'A warning.', 'Migration', 'Started', 'Ended'])
      expect(text).toContain(told);
  });

  it('has no key and no descriptor in it, whatever a node said', () => {
    const descriptor = `wpkh(${XPUB}/0/*)#abcdefgh`;
    const text = savedReport(
      sampleJob({
        ...{ state: 'failed', ended: 9, warnings: [`Found ${WIF}`, `and ${descriptor}`] },
        error: {
          ...{ code: 'wallet_error', message: 'Refused.', hint: '' },
          node: { code: -4, message: `Key ${XPUB} is odd\u202e` },
        },
      }),
      about,
    );
    for (const secret of [WIF, XPUB, descriptor, '\u202e']) expect(text).not.toContain(secret);
    expect(text).toContain('[key]');
    expect(text).toContain('[descriptor]');
  });
});
