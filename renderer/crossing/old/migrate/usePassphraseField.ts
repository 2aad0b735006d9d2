/** The field of a passphrase through the steps of a wizard. What was typed is in it alone, never in the page's state. */
import { type RefObject, useRef, useState } from 'react';
import { takeSecret } from '../../../elements/input/takeSecret.ts';

interface PassphraseField {
  field: RefObject<HTMLInputElement | null>;
  /** Nothing was typed for a wallet that is encrypted. */
  lacking: boolean;
  /** Whether one was typed when the step was left. */
  given: boolean;
  /** Leaves the step: false where one is lacking, and then the field has the focus. */
  leave(encrypted: boolean | null): boolean;
  /** Takes what was typed when the step was left out of the field; empty where nothing was. */
  take(): string;
}

export function usePassphraseField(): PassphraseField {
  const field = useRef<HTMLInputElement>(null);
  const [lacking, setLacking] = useState(false);
  const [given, setGiven] = useState(false);
  const typed = () => field.current?.value ?? '';

  return {
    field,
    lacking,
    given,
    leave(encrypted) {
      const isLacking = typed() === '' && encrypted === true;
      setLacking(isLacking);
      if (isLacking) field.current?.focus();
      else setGiven(typed() !== '');
      return !isLacking;
    },
    take() {
      const taken = takeSecret(field.current);
      return given ? taken : '';
    },
  };
}
