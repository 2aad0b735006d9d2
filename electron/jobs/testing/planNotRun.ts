/** For tests: the error for a plan that did not run, with the reason. */
import { checksOf, type Plan } from '../../../shared/model/plan.ts';
import type { Check } from '../../../shared/model/safety.ts';

export class PlanNotRun extends Error {
  /** The blockers, also those of questions. */
  readonly stops: Check[];

  /** `plan`: the latest one. */
  constructor(readonly plan: Plan) {
    const stops = checksOf(plan).filter(({ verdict }) => verdict === 'blocker');
    super(
      `The plan did not run: ${stops.map(({ id, title }) => `${id}: ${title}`).join('; ') || 'something is asked'}`,
    );
    this.stops = stops;
  }
}
