import { describe, expect, it } from 'vitest';
import { descriptorWords } from './descriptorWords.ts';

const single = { active: false, internal: null, addressType: null, range: null, next: null } as const;

describe('descriptorWords', () => {
  it('says what an active descriptor makes addresses for', () => {
    const receiving = {
      active: true,
      internal: false,
      addressType: 'bech32',
      range: [0, 1004],
      next: 5,
    } as const;
    expect(descriptorWords(receiving)).toBe('Active, for new bech32 addresses, range 0 to 1,004, next 5');
    expect(descriptorWords({ ...receiving, internal: true, next: 0 })).toBe(
      'Active, for new bech32 change addresses, range 0 to 1,004, next 0',
    );
    expect(descriptorWords({ ...single, active: true })).toBe('Active, for new addresses');
  });

  it('says that one is only kept, and tells no range where there is none', () => {
    expect(descriptorWords(single)).toBe('Not active');
    expect(descriptorWords({ ...single, range: [0, 35], next: 6 })).toBe('Not active, range 0 to 35, next 6');
  });
});
