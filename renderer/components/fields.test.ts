import { expect, it } from 'vitest';
import { installFakeFerry } from '../state/testing/fakeFerry.ts';

installFakeFerry();
const { replacesAll } = await import('./fields.tsx');

it.each([
  [true, 'an empty field', '', 0, 0],
  [true, 'a selected path', '/media/usb', 0, 10],
  [false, 'the end of a path', '/media/usb', 10, 10],
  [false, 'a part of a path', '/media/usb', 0, 6],
] as const)('replaces the whole field by a pasted path: %s for %s', (expected, _, value, start, end) => {
  expect(replacesAll({ value, selectionStart: start, selectionEnd: end })).toBe(expected);
});
