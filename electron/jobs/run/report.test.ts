import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import { recordedLog, stamped } from '../testing/bench.ts';
import { anonymousReport, fullReport, recordParts } from './report.ts';

const job = sampleJob({
  id: '6cc90648-2939-40a8-aa61-fc0646a1b869',
  wallet: 'my savings',
  node: {
    label: 'Node at home',
    address: { host: '192.168.7.20', port: 8332, tls: false },
    network: 'main',
    release: '28.1',
  },
  state: 'failed',
  steps: [{ phase: 'sent', state: 'running' }],
  started: 1_795_180_000,
  ended: 1_795_180_012,
  warnings: ['Wallet "my savings" in /home/ada/.bitcoin/wallets has a problem'],
  error: {
    code: 'wallet_error',
    message: 'The node refused.',
    hint: '',
    node: {
      code: -4,
      message: `Error: transaction ${'ab'.repeat(32)} of bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4, 12.34567890 BTC, in ${homedir()}/wallets/my savings/wallet.dat`,
    },
  },
  resumed: true,
});

const facts = { job, log: [], version: '0.1.0', platform: 'linux' };

describe('reportOf', () => {
  it('says what happened, on which release, and how far the job got', () => {
    const text = anonymousReport(facts);
    expect(text).toContain('Wallet Ferry 0.1.0 on linux');
    expect(text).toContain('Job: migrate, failed, found again after the app was closed');
    expect(text).toContain('Node: release 28.1, main, another machine');
    expect(text).toContain('Ended: by ');
    expect(anonymousReport({ ...facts, job: { ...job, resumed: false } })).toContain('after 12 s');
    expect(text).toContain(
      "Error: wallet_error\nNode's error: -4, its words left out\nWarnings: 1, left out",
    );
  });

  it('names no release of a job without a node', () => {
    const offline = { ...job, node: { ...job.node, offline: true } };
    expect(anonymousReport({ ...facts, job: offline })).not.toContain('28.1');
  });

  // SECURITY.md: A hostile RPC server
  it('contains only log lines that begin with a node’s time', () => {
    const text = anonymousReport({
      ...facts,
      log: ['password=hunter2', stamped('init message: Done loading')],
    });
    expect(text).not.toContain('hunter2');
    expect(text).toContain('Log of the node (0 lines, 2 more left out)');
  });

  // SECURITY.md: Readers of what is left behind
  it('contains no name, path, host, address, key, id or amount', () => {
    const text = anonymousReport({
      ...facts,
      log: [
        '2026-11-20T13:04:00Z [my savings] Rescan started from block 0f11441391fee67231481e781ad7fa40bfa6da2b616a74dc3c0818d0c11e906b...',
        'copied C:\\Users\\Ada\\wallets\\my savings to D:\\backup\\x.legacy.bak',
        'key KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn',
        'wpkh([d34db33f/84h/0h/0h]xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL/0/*)#abcdefgh',
        'tprv8ZgxMBicQKsPd9TeAdPADNnSyH9SSUUbTVeFszDE23Ki6TBB5nCefAdHkK8Fm3qMQR6sHwA56zqRmKmxnHk37JkiFzvncDqoKmPWubu7hDF',
        'to 1BoatSLRHtKNngkdXEeobR76b53LETtpyT and 2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc',
        '[hidden stash] Releasing wallet hidden stash..',
        '[hidden stash] Still rescanning. At block 812345. Progress=0.731000',
        '[hidden stash] Rescan completed in 123ms',
        '[hidden stash] setKeyPool.size() = 2000',
        'connected to [2001:db8::7]:8333, expyuzz4wqqyqhjn.onion and node.example.org',
        'Using wallet [/srv/hidden stash/wallet.dat]',
        '6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg S6c56HtUX17i51im4HC1A spends 2100 BTC',
      ].map(stamped),
    });
    const secrets =
      'savings Ada ada home 192.168 0f114413 KwDiBf xpub tprv wpkh 1Boat 2MzQ bc1q 12.3456 hidden stash 2001:db8 onion example /srv 6PRV S6c56 2100';
    for (const secret of [...secrets.split(' '), homedir()]) expect(text).not.toContain(secret);
    expect(text).toContain('still-rescanning block=812345 share=0.731');
    expect(text).toContain('rescan-completed ms=123');
  });

  it('keeps the phases of a recorded log', () => {
    const log = recordedLog('31.0', 'migrate-watchonly');
    const text = anonymousReport({ ...facts, job: { ...job, wallet: 'legacy-watchonly' }, log });
    expect(text).toMatch(/^ {2}2026-\S+ converting$/m);
    expect(text).toMatch(/^ {2}2026-\S+ converted$/m);
    expect(text).not.toContain('legacy-watchonly');
    const [, kept, leftOut] = /\((\d+) lines, (\d+) more left out\)/.exec(text) ?? [];
    expect(Number(kept) + Number(leftOut)).toBe(log.length);
    expect(text.split('\n').filter((line) => line.startsWith('  '))).toHaveLength(Number(kept));
  });

  it('names no primary wallet if none is left, and what was left unloaded', () => {
    const watched = { walletName: 'w_watchonly', watchonlyName: 'w_watchonly', solvablesName: null };
    const result = { kind: 'migrate', backupPath: '/x', backupSeen: true, ...watched } as const;
    const text = anonymousReport({ ...facts, job: { ...job, result } });
    expect(text).toContain('Result: a watch-only wallet, a backup path: yes');
    const both = anonymousReport({ ...facts, job: { ...job, result: { ...result, walletName: 'w' } } });
    expect(both).toContain('Result: a primary wallet, a watch-only wallet,');
    const proofError = { code: 'wallet_not_found', message: '', hint: '' } as const;
    const left = { ...job, state: 'done', proofError, result: { ...result, leftUnloaded: true } } as const;
    expect(anonymousReport({ ...facts, job: left })).toContain('Not compared: left unloaded');
    expect(anonymousReport({ ...facts, job: { ...left, result } })).toContain(
      'Not compared: wallet_not_found',
    );
  });

  // SECURITY.md: Text that forges log lines
  it('contains no control characters', () => {
    const error = {
      code: 'wallet_error' as const,
      message: '\u001b]0;owned\u0007\u001b[2J',
      hint: '',
      node: { code: -4, message: 'line\r\nError: made up\u2028\u202etxt.exe' },
    };
    const log = ['\u001b[31mred\u009b2J', 'a\nWarning: made up'];
    const text = anonymousReport({ ...facts, job: { ...job, error, warnings: ['\u2066x'] }, log });
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\u2028\u2029]/u);
    expect(text.split('\n').filter((line) => /^(?:Error|Warning): made up/.test(line))).toEqual([]);
    expect(text).not.toContain('made up');
  });
});

const WIF = 'cVpF924EspNh8KjYsfhgY96mmxvT6DgdWiTYMtMjuM74hJaU5psW';
const XPUB =
  'xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB';
const about = { jobs: [], version: '1.2.3', now: 1_795_200_000 };

describe('the saved report', () => {
  it('contains names, paths and hashes', () => {
    const text = fullReport(
      sampleJob({
        kind: 'migrate',
        wallet: 'savings',
        state: 'done',
        started: 1_795_190_000,
        ended: 1_795_190_060,
        result: {
          kind: 'migrate',
          walletName: 'savings',
          watchonlyName: null,
          solvablesName: null,
          backupPath: '/node/savings.legacy.bak',
          backupSeen: true,
        },
        safetyCopy: {
          id: 'c',
          wallet: 'savings',
          node: { label: 'node', network: 'main' },
          made: 1,
          how: 'copied',
          note: null,
          files: [{ path: '/app/copies/savings.dat', source: null, size: 1, sha256: 'ab'.repeat(32) }],
        },
        warnings: ['A warning.'],
      }),
      about,
    );
    const paths = ['/node/savings.legacy.bak', '/app/copies/savings.dat', 'ab'.repeat(32)];
    for (const kept of ['1.2.3', '“savings”', ...paths, 'A warning.', 'Migration', 'Started', 'Ended'])
      expect(text).toContain(kept);
    expect(fullReport({ ...job, resumed: true }, about)).toMatch(/Ended +Not known/);
    // A sheet of paper is some hundred letters wide.
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(90);
  });

  it('contains no key and no descriptor, even if a node quotes one', () => {
    const descriptor = `wpkh(${XPUB}/0/*)#abcdefgh`;
    const quoting = sampleJob({
      state: 'failed',
      wallet: WIF,
      ended: 9,
      warnings: [`Found ${WIF}`, `and ${descriptor}`],
      error: {
        code: 'wallet_error',
        message: 'Refused.',
        hint: '',
        node: { code: -4, message: `Key ${XPUB} is odd\u202e` },
      },
    });
    const text = fullReport(quoting, about);
    expect(text).not.toContain('\u202e');
    for (const record of [text, JSON.stringify(recordParts(quoting, []))]) {
      for (const secret of [WIF, XPUB, descriptor]) expect(record).not.toContain(secret);
      expect(record).toContain('[key]');
      expect(record).toContain('[descriptor]');
    }
  });

  it.each([
    `Zprv${XPUB.slice(4)}`,
    '6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg',
    'SuyABsGsZYbQKsFZKyAsMT',
    'SuyABsGsZYbQKsFZKyAsMX',
    'ScsGr7pqszbpGatL9EQ7wR4G8K',
    `private key 0x${'ab'.repeat(32)}`,
    `seed/${'ab'.repeat(32)}`,
    `private key (hex): ${'ab'.repeat(32)}`,
    `secret_exponent_${'ab'.repeat(32)}`,
    `PrivateKey ${'Ab+/'.repeat(10)}Abc=`,
    `seed-${'ab'.repeat(16)}`,
    `master seed is: ${'ab'.repeat(32)}`,
    'S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy',
    'c4bbcb1fbec99d65bf59d85c8cb62ee2db963f0fe106f483d9afa73bd4e39a8a',
    `sortedmulti_a(1,${XPUB}/0/*)`,
    `unused(${'02'.repeat(33)})`,
    `tr(musig(${'02'.repeat(33)},${'03'.repeat(33)})/0)`,
  ])('contains no %s', (secret) => {
    const report = fullReport(sampleJob({ warnings: [`Invalid key: ${secret} in x`] }), about);
    expect(report).not.toContain(secret);
    expect(report).toMatch(/Invalid key: [A-Za-z_ ():/-]*\[[a-z ]+\] in x/);
  });

  it.each([
    'ab'.repeat(32),
    'Savings-2015',
    'S1avings2015OfGrandma1',
    `keyid ${'ab'.repeat(16)}`,
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  ])('keeps %s, which is no key', (text) => {
    expect(fullReport(sampleJob({ warnings: [`Found ${text}`] }), about)).toContain(text);
  });
});
