import { describe, expect, it } from 'vitest';
import type { Proof, RescueFacts } from '../../../../shared/model/safety.ts';
import { sampleRescue } from '../../../../shared/testing/sampleRescue.ts';
import { arrivedWords, keysWords } from '../../../../shared/wording/proofWords.ts';
import { installFakeFerry } from '../../../state/testing/fakeFerry.ts';
import { rendered } from '../../../state/testing/rendered.tsx';

installFakeFerry();
const { ProofCard, ProofTable } = await import('./ProofCard.tsx');

const whole = { before: 3, after: 3, missing: { total: 0, shown: [] } };
const balance = { file: 900n, fileTime: null, before: null, after: 900n, change: 'same' } as const;
const proof: Proof = {
  verdict: 'same',
  scripts: whole,
  labels: whole,
  transactions: whole,
  balance,
  wallets: [],
  differences: [],
  unknown: ['Its file is gone.'],
};

const markupOf = (fields: Partial<Proof> = {}, hasCopy = true) =>
  rendered(<ProofCard proof={{ ...proof, ...fields }} network="regtest" hasCopy={hasCopy} />);
const tableOf = (fields: Partial<Proof> = {}) =>
  rendered(<ProofTable proof={{ ...proof, ...fields }} network="regtest" isRescue={false} />);

describe('the proof', () => {
  it('says what was not compared only if something was not', () => {
    expect(markupOf()).not.toContain('Not compared');
    expect(markupOf({ verdict: 'partly' })).toContain('Not compared');
  });

  it('says that all arrived, unless a rescue lost something or something differs', () => {
    expect(arrivedWords(proof)).toBe('All 3 addresses, 3 labels and 3 transactions are here.');
    expect(arrivedWords({ ...proof, lost: ['Missing: 12 private keys.'] })).toBeNull();
    expect(arrivedWords({ ...proof, verdict: 'different' })).toBeNull();
    const labels = { before: 3, after: 2, missing: { total: 1, shown: ['rent'] } };
    expect(arrivedWords({ ...proof, verdict: 'partly', labels })).toBeNull();
  });

  it('warns not to use the new wallets only if coins are in danger, and calls them safe only with a copy', () => {
    const differences = [{ title: 'Missing: 1 address', meaning: 'The new wallets cannot spend it.' }];
    const alarm = (hasCopy: boolean) => markupOf({ verdict: 'different', differences }, hasCopy);
    expect(alarm(true)).toMatch(/Don’t use the new wallets.*Your coins are safe/);
    expect(alarm(false)).not.toContain('safe');
    const minor = differences.map((one) => ({ ...one, minor: true as const }));
    const calm = markupOf({ verdict: 'partly', differences: minor });
    expect(calm).toContain('Missing: 1 address');
    expect(calm).not.toContain('Don’t use');
    // Screen readers are interrupted by grave differences only.
    expect(calm).not.toContain('role="alert"');
    const wallets = [{ part: 'primary', name: 'w' }] as unknown as Proof['wallets'];
    expect(markupOf({ verdict: 'different', differences, wallets })).toContain('Don’t use the new wallet<');
  });

  it('shows the share of the known keys that a rescue saved, and never a full bar for a part', () => {
    const renderShare = (rescue: Partial<RescueFacts>) =>
      rendered(<ProofCard proof={proof} network="regtest" hasCopy rescue={sampleRescue(rescue)} />);
    const saved = { keys: 999, derived: 0, seeds: 1, labels: 0, transactions: 0 };
    const missing = { keys: 1, chainKeys: 0, counter: false, masterKey: false };
    const part = renderShare({ saved, missing, damaged: { keys: 1, others: 0 } });
    expect(part).toMatch(/width:97%.*data-part="lost" style="width:3%".*999 of 1,000 private keys/);
    expect(renderShare({ saved: { ...saved, keys: 1 }, missing: { ...missing, keys: 1 } })).toMatch(
      /width:50%.*data-part="lost" style="width:50%"/,
    );
    // The bars and the table call the columns alike.
    expect(part).toMatch(/<dt[^>]*>Repaired copy<.*<dt[^>]*>After</);
    expect(part).not.toContain('Before');
    const all = renderShare({ saved });
    expect(all).toMatch(/width:100%.*>999 private keys/);
    expect(all).not.toContain('data-part="lost"');
    // Every known key was saved, but not the whole wallet.
    const none = { ...missing, keys: 0 };
    for (const lost of [
      { missing: { ...none, descriptors: 1 } },
      { missing: { ...none, masterKey: true } },
      { missing: { ...none, addresses: 1 } },
      { sealedDescriptors: 1 },
    ])
      expect(renderShare({ saved, ...lost })).toMatch(/width:97%.*data-part="lost".*>999 private keys/);
  });

  it('says what a rescue lost', () => {
    expect(markupOf({ lost: ['Missing: 12 private keys.'] })).toContain('Missing: 12 private keys.');
  });

  it('says why the new wallet counts fewer keys', () => {
    const wallets = [
      { part: 'primary', name: 'w', descriptors: 8 },
      { part: 'watchonly', name: 'w_watchonly', descriptors: 7 },
    ] as unknown as Proof['wallets'];
    expect(keysWords({ ...proof, wallets, keys: 134 })).toBe(
      '134 keys became 8 descriptors, which make the same addresses.',
    );
    // A wallet without private keys, and an older proof.
    for (const keys of [0, undefined]) expect(keysWords({ ...proof, wallets, keys })).toBeNull();
    expect(keysWords({ ...proof, wallets, keys: 134, verdict: 'different' })).toBeNull();
  });

  it('shows both balances of an empty wallet, which have no bars', () => {
    const empty = markupOf({ balance: { ...balance, file: 0n, after: 0n } });
    expect(empty.split(/0\.000\s000\s00/)).toHaveLength(3);
  });

  it('says of a part that only a node can find that it is not known', () => {
    const before = { spendable: 600n, watched: 0n, notYours: 200n };
    const split = { before, after: { ...before, notYours: null } };
    expect(markupOf({ balance: { ...balance, split } })).toContain('Not known: not yours');
  });

  it('draws bars whose parts sum to the balance', () => {
    const split = {
      before: { spendable: 600n, watched: 200n, notYours: 200n },
      after: { spendable: 300n, watched: 200n, notYours: 0n },
    };
    const markup = markupOf({ balance: { ...balance, split } });
    const widths = [...markup.matchAll(/data-part="(\w+)" style="width:([\d.]+)%/g)].map(
      ([, part, width]) => [part, Number(width)],
    );
    expect(widths).toEqual([
      ['spendable', 60],
      ['watched', 20],
      ['notYours', 20],
      ['spendable', 30],
      ['watched', 20],
      ['notYours', 0],
    ]);
    expect(markup).toMatch(/BTC spendable.*BTC watched only.*BTC not yours/);
  });

  it('does not tick the scripts when one is misplaced or cannot be signed for', () => {
    const rows = (markup: string) => [...markup.matchAll(/data-whole="(\w+)"/g)].map(([, is]) => is);
    expect(rows(tableOf())).toEqual(['true', 'true', 'true', 'true']);
    const list = { total: 1, shown: ['0014aa'] };
    for (const what of ['misplaced', 'keyless'] as const) {
      const markup = tableOf({ verdict: 'different', [what]: list });
      expect(rows(markup)).toEqual(['false', 'true', 'true', 'true']);
      expect(markup).toContain('some wrong');
    }
    expect(tableOf({ scripts: { ...whole, missing: list } })).toContain('Missing addresses');
    expect(tableOf({ misplaced: list })).toContain('Misplaced addresses');
    expect(tableOf({ keyless: list })).toContain('Descriptors without private keys');
  });
});
