/** Gives the focus back to where it was before a dialog, unless something else has taken it by then. */
import { useEffect } from 'react';

export function useReturnFocus(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (document.activeElement === document.body && before instanceof HTMLElement)
        before.focus({ preventScroll: true });
    };
  }, []);
}
