/** Runs one job through one fault, and gives its row: the long call was sent once at the most. */
import { expect } from 'vitest';
import type { Scenario } from '../testNode/testNode.ts';
import type { Row } from './reliability.ts';
import { type Kind, openTrial, type Trial } from './trial.ts';

export async function runTrial(
  kind: Kind,
  scenario: Scenario,
  run: (on: Trial) => Promise<Row>,
): Promise<Row> {
  const trial = await openTrial(kind, scenario);
  try {
    const row = await run(trial);
    expect(row.calls).toBeLessThanOrEqual(1);
    expect(trial.node.unrecorded).toEqual([]);
    return row;
  } finally {
    await trial.close();
  }
}
