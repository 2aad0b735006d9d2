/** For tests: a plan that was not run, as an error whose words say why. */
import type { Plan } from '../../../shared/plan.ts';
import type { Check } from '../../../shared/safety.ts';

export class NotBegun extends Error {
  /** Those of its asks too. */
  readonly stops: Check[];

  /** `plan`: as it stands by then. */
  constructor(readonly plan: Plan) {
    const asked = plan.asks.flatMap((ask) => ('check' in ask ? [ask.check] : []));
    const stops = [...plan.checks, ...asked].filter(({ verdict }) => verdict === 'stop');
    super(`not begun: ${stops.map(({ id, title }) => `${id}: ${title}`).join('; ') || 'something is asked'}`);
    this.stops = stops;
  }
}
