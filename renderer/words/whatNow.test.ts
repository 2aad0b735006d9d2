import { describe, expect, it } from 'vitest';
import { madeOperation } from '../../shared/testing/madeOperation.ts';
import { whatNow } from './whatNow.ts';

const steps = [
  { phase: 'sent', state: 'done' },
  { phase: 'converting', state: 'running' },
] as const;
const operation = madeOperation({ steps: [...steps] });

describe('whatNow', () => {
  it('names the phase under way', () => {
    expect(whatNow(operation)).toBe('Converting the wallet');
  });

  it('says that the node is not seen or heard before what it was last seen at', () => {
    expect(whatNow({ ...operation, silentSince: 1 })).toBe('The node is not heard');
    expect(whatNow({ ...operation, silentSince: 1, line: 'lost' })).toBe('The line to the node is lost');
  });

  it('has nothing to name once all is behind it', () => {
    expect(whatNow({ ...operation, steps: [{ phase: 'sent', state: 'done' }] })).toBeNull();
  });
});
