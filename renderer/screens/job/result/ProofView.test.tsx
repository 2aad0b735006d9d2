import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Proof } from '../../../../shared/model/safety.ts';
import { ProofView } from './ProofView.tsx';

const whole = { before: 3, after: 3, missing: { total: 0, shown: [] } };
const balance = { file: 900n, fileTime: null, before: null, after: 900n, standing: 'same' } as const;
const proof: Proof = {
  verdict: 'same',
  scripts: whole,
  labels: whole,
  transactions: whole,
  balance,
  wallets: [],
  differences: [],
  unknown: ['The new balance was compared with what the old file last knew.'],
};

const markupOf = (fields: Partial<Proof> = {}) =>
  renderToStaticMarkup(
    <MantineProvider>
      <ProofView proof={{ ...proof, ...fields }} network="regtest" />
    </MantineProvider>,
  );

describe('ProofView', () => {
  it('does not say that something could not be compared when everything was', () => {
    expect(markupOf()).toContain('About the balance');
    expect(markupOf()).not.toContain('was not compared');
    const partly = markupOf({ verdict: 'partly' });
    expect(partly).toContain('What was not compared');
    expect(partly).not.toContain('About the balance');
  });

  it('does not tick the scripts when one is misplaced or cannot be signed for', () => {
    const rows = (markup: string) => [...markup.matchAll(/data-whole="(\w+)"/g)].map(([, is]) => is);
    expect(rows(markupOf())).toEqual(['true', 'true', 'true', 'true']);
    const list = { total: 1, shown: ['0014aa'] };
    for (const what of ['misplaced', 'keyless'] as const) {
      const markup = markupOf({ verdict: 'different', [what]: list });
      expect(rows(markup)).toEqual(['false', 'true', 'true', 'true']);
      expect(markup).toContain('some wrong');
    }
    expect(markupOf({ misplaced: list })).toContain('Misplaced scripts');
    expect(markupOf({ keyless: list })).toContain('Descriptors without private keys');
  });
});
