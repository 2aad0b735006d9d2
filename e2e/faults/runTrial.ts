/** Runs one operation through one fault, and gives its row: the long call was sent once at the most. */
import { expect } from 'vitest';
import type { Scenario } from '../testNode/testNode.ts';
import { type Crossing, type Kind, openCrossing } from './crossing.ts';
import type { Row } from './reliability.ts';

export async function runTrial(
  kind: Kind,
  scenario: Scenario,
  run: (on: Crossing) => Promise<Row>,
): Promise<Row> {
  const crossing = await openCrossing(kind, scenario);
  try {
    const row = await run(crossing);
    expect(row.calls).toBeLessThanOrEqual(1);
    expect(crossing.node.unrecorded).toEqual([]);
    return row;
  } finally {
    await crossing.close();
  }
}
