/** What opens over the page. The browser keeps it above everything else, and closes it by Escape and by a press beside it. */
import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type ToggleEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';

interface DialogProps {
  title: string;
  /** Only screen readers say the title. */
  isTitleHidden?: boolean;
  /** The name of a button that closes it, beside the title. */
  closes?: string;
  /** `drawer`: at the right edge, as high as the window. */
  look?: 'wide' | 'drawer';
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that blocks the page. Focuses its part with `data-autofocus`, or its first control; then what had the focus before. */
export function Dialog({ title, isTitleHidden = false, closes, look, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    // Beside it is its backdrop, which belongs to it.
    element?.addEventListener('click', ({ target }) => target === element && element.close());
    return () => {
      // React has removed the dialog, and the next page may have taken the focus.
      if (document.activeElement === document.body && before instanceof HTMLElement)
        before.focus({ preventScroll: true });
    };
  }, []);
  const close = () => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      className="dialog"
      data-look={look}
      onClose={onClose}
      {...(isTitleHidden ? { 'aria-label': title } : { 'aria-labelledby': id })}
    >
      <div>
        {!isTitleHidden && (
          <div className="ends">
            <h2 id={id} className="title">
              {title}
            </h2>
            {closes && (
              <ActionIcon variant="subtle" color="gray" aria-label={closes} onClick={close} data-autofocus>
                <IconX size={18} aria-hidden />
              </ActionIcon>
            )}
          </div>
        )}
        {children}
      </div>
    </dialog>
  );
}

/**
 * A part that a button opens beside itself. Spread `target` on the button and `popover` on the part, whose content is made only
 * while it is open. `area`: where it opens, as CSS's `position-area`.
 */
export function usePopover(area: string) {
  const [isOpen, setOpen] = useState(false);
  const part = useRef<HTMLElement>(null);
  const id = useId();
  const anchor = `--${id}`;
  return {
    isOpen,
    close: () => part.current?.hidePopover(),
    target: { popoverTarget: id, 'aria-expanded': isOpen, style: { anchorName: anchor } },
    popover: {
      ref: (element: HTMLElement | null) => {
        part.current = element;
      },
      id,
      popover: 'auto',
      className: 'popover',
      style: { positionAnchor: anchor, positionArea: area },
      onBeforeToggle: ({ newState }: ToggleEvent) => newState === 'open' && setOpen(true),
      // Not before it is closed: the browser gives the focus back only if it is still inside.
      onToggle: ({ newState, currentTarget }: ToggleEvent<HTMLElement>) => {
        if (newState === 'closed') setOpen(false);
        else currentTarget.querySelector<HTMLElement>('[role="menuitem"]:not(:disabled)')?.focus();
      },
    },
  } as const;
}

/** For the keys of a menu: the arrows, Home and End move between its items, and Tab closes it. */
export function moveInMenu(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  // The table has these keys, too.
  event.stopPropagation();
  if (event.key === 'Tab') close();
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)')];
  const now = items.findIndex((item) => item.matches(':focus'));
  const next = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  items.at(next % items.length)?.focus();
}
