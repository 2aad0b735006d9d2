/** How long ago a moment was, kept current while it is shown. */
import { useEffect, useState } from 'react';
import { formatElapsed } from '../../shared/wording/format/formatDuration.ts';

/** `since` in Unix seconds; anew each second. */
export function useElapsed(since: number): string {
  const [now, setNow] = useState(() => Date.now() / 1000);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), 1000);
    return () => clearInterval(timer);
  }, []);
  return formatElapsed(now - since);
}
