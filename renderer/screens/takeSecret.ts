/** Takes what was typed into a field out of it, at the moment of the call that needs it. */
import type { RefObject } from 'react';

/** The field is empty afterwards. */
export function takeSecret(field: RefObject<HTMLInputElement | null>): string {
  const input = field.current;
  if (!input) return '';
  const { value } = input;
  input.value = '';
  return value;
}
