import { describe, expect, it } from 'vitest';
import type { Check, MigrationChecks } from '../../../../shared/safety.ts';
import { madeIdentity } from '../../../../shared/testing/madeNodeStatus.ts';
import { whatBlocks } from './whatBlocks.ts';

const stop: Check = {
  id: 'unnamed-wallet',
  verdict: 'stop',
  title: 'Release 30.0 can delete all your wallets here',
  looked: '',
  text: [],
  todo: [],
};
const known = (way: MigrationChecks['way'], checks: Check[] = []) =>
  ({
    state: 'known',
    found: { node: madeIdentity(), way, checks, copy: { way: 'copied', text: '' }, file: null },
  }) as const;

describe('whatBlocks', () => {
  it('goes on where nothing stops', () => {
    expect(whatBlocks(known('migrate', [{ ...stop, verdict: 'read' }]), false)).toBeNull();
  });

  it('names what stops', () => {
    expect(whatBlocks(known('none', [stop]), false)).toContain(stop.title);
  });

  it('goes around it on the safe way only where that is open', () => {
    expect(whatBlocks(known('copy-first', [stop]), false)).toContain(stop.title);
    expect(whatBlocks(known('copy-first', [stop]), true)).toBeNull();
    expect(whatBlocks(known('none', [stop]), true)).toContain(stop.title);
  });

  it('waits for what is being looked at, whatever was found before', () => {
    const { found } = known('migrate');
    expect(whatBlocks({ state: 'looking', before: found }, false)).not.toBeNull();
    expect(whatBlocks({ state: 'none' }, false)).not.toBeNull();
  });
});
