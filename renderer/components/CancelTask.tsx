/** Ends work on a file that takes longer than a moment: it is not there before. */
import { useEffect, useState } from 'react';
import { SmallButton } from './input/ActionButton.tsx';

interface CancelTaskProps {
  /** Says what it ends, since the Check page has another *Cancel*. */
  label: string;
  onCancel: () => void;
}

export function CancelTask({ label, onCancel }: CancelTaskProps) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), MOMENT_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return null;
  return <SmallButton onClick={onCancel}>{label}</SmallButton>;
}

const MOMENT_MS = 1000;
