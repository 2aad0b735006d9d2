/** A bar that tells how far something is, or honestly that it is not known. */
import { say } from '../../shared/text/say.ts';
import { formatShare } from '../../shared/words/format/formatShare.ts';
import styles from './ProgressBar.module.css';

interface ProgressBarProps {
  /** What is under way, for screen readers. */
  label: string;
  /** The share done, 0 to 1; null when it is not known. */
  fraction: number | null;
}

export function ProgressBar({ label, fraction }: ProgressBarProps) {
  if (fraction === null) {
    return (
      <div className={styles.track} role="progressbar" aria-label={label} aria-valuetext={say('Not known')}>
        <div className={styles.unknown} />
      </div>
    );
  }
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(fraction * 100)}
      aria-valuetext={formatShare(fraction)}
    >
      <div className={styles.fill} style={{ width: `${fraction * 100}%` }} />
    </div>
  );
}
