/** A bar that tells how far something is, or honestly that it is not known. */
import { formatShare } from '../../shared/wording/format/formatShare.ts';
import { say } from '../../shared/wording/say.ts';
import styles from './ProgressBar.module.css';

interface ProgressBarProps {
  /** What is under way, for screen readers. */
  label: string;
  /** The share done, 0 to 1; null when it is not known. */
  fraction: number | null;
}

export function ProgressBar({ label, fraction }: ProgressBarProps) {
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={fraction === null ? undefined : Math.floor(fraction * 100)}
      aria-valuetext={fraction === null ? say('Not known') : formatShare(fraction)}
    >
      {fraction === null ? (
        <div className={styles.unknown} />
      ) : (
        <div className={styles.fill} style={{ width: `${fraction * 100}%` }} />
      )}
    </div>
  );
}
