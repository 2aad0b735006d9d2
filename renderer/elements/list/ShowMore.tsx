/** The button that brings further items of a long list into the page. */
import { Button } from '@mantine/core';
import { say } from '../../../shared/text/say.ts';

interface ShowMoreProps {
  /** How many may be in the page now, and how many there are. */
  shown: number;
  all: number;
  /** How many come at a time. */
  page: number;
  onShow: (shown: number) => void;
}

/** Nothing once all are shown. */
export function ShowMore({ shown, all, page, onShow }: ShowMoreProps) {
  const left = all - shown;
  if (left <= 0) return null;
  return (
    <div>
      <Button variant="default" size="compact-sm" onClick={() => onShow(shown + page)}>
        {say('Show {count, number} more of {left, number}', { count: Math.min(page, left), left })}
      </Button>
    </div>
  );
}
