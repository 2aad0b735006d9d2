/** For tests: a plan that was not run, as an error whose words say why. */
import { checksOf, type Plan } from '../../../shared/model/plan.ts';
import type { Check } from '../../../shared/model/safety.ts';

export class NotBegun extends Error {
  /** Those of its asks too. */
  readonly stops: Check[];

  /** `plan`: as it stands by then. */
  constructor(readonly plan: Plan) {
    const stops = checksOf(plan).filter(({ verdict }) => verdict === 'blocker');
    super(`not begun: ${stops.map(({ id, title }) => `${id}: ${title}`).join('; ') || 'something is asked'}`);
    this.stops = stops;
  }
}
