/** The balance over time, as a small step line of the file's own transactions. */
import type { Inspection } from '../../../shared/model/inspection.ts';
import { mainBalance } from '../../../shared/model/inspection.ts';
import { formatDay } from '../../../shared/wording/format/formatTime.ts';
import { say } from '../../../shared/wording/say.ts';

const WIDTH = 300;
const HEIGHT = 70;
const INSET = 3;
const DAY = 86_400;

/** Renders nothing for fewer than two changes, or within a day. */
export function BalanceLine({ inspection }: { inspection: Inspection }) {
  const points = balanceOverTime(inspection);
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 3) return null;
  if (last.time - first.time < DAY) return null;
  const highest = points.reduce((most, { balance }) => (balance > most ? balance : most), 1n);
  const span = Math.max(1, last.time - first.time);
  const x = (time: number) => INSET + ((time - first.time) / span) * (WIDTH - 2 * INSET);
  const y = (balance: bigint) =>
    HEIGHT - INSET - (Number((balance * 1000n) / highest) / 1000) * (HEIGHT - 2 * INSET);
  const path = points.map(({ time, balance }, at) =>
    at === 0 ? `M${x(time)} ${y(balance)}` : `H${x(time)}V${y(balance)}`,
  );
  return (
    <svg
      style={{ flex: '0 1 300px', minWidth: 160 }}
      fill="none"
      stroke="var(--mantine-color-dimmed)"
      strokeWidth={2}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={say('Balance over time, from {first} to {last}', {
        first: formatDay(first.time),
        last: formatDay(last.time),
      })}
    >
      <path d={`${path.join('')}H${WIDTH - INSET}`} />
    </svg>
  );
}

/**
 * The balance in satoshi after each transaction that counts, oldest first. Counted back from the last known balance, so that
 * it is right for the newest transactions even if the list of them is cut.
 */
export function balanceOverTime(
  inspection: Pick<Inspection, 'balance' | 'transactions' | 'flags' | 'keys'>,
): { time: number; balance: bigint }[] {
  const { onlyWatches, total } = mainBalance(inspection);
  let balance = total;
  const points = [];
  for (const { time, state, spendable, watched } of inspection.transactions.shown) {
    if (state === 'conflicted' || state === 'abandoned' || time <= 0) continue;
    points.push({ time, balance });
    const { received, spent } = onlyWatches ? watched : spendable;
    balance -= received - spent;
    if (balance < 0n) balance = 0n;
  }
  return points.toReversed().toSorted((one, other) => one.time - other.time);
}
