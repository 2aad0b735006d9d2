import { expect, it } from 'vitest';
import { releaseText } from './releaseText.ts';

it.each([
  [280100, '28.1'],
  [300000, '30.0'],
  [220001, '22.0.1'],
  [210100, '0.21.1'],
  [80600, '0.8.6'],
  [32400, '0.3.24'],
])('%d is release %s', (version, text) => {
  expect(releaseText(version)).toBe(text);
});
