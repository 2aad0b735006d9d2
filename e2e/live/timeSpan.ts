/** A time span, to compare records that are created in it and at different seconds. */

const WITHIN = 'within the span';

export class TimeSpan {
  readonly #started = seconds();
  #ended = Number.POSITIVE_INFINITY;

  end(): void {
    this.#ended = seconds();
  }

  /** The same text for all times within the span. Any other time, in Unix seconds, stays itself. */
  comparable(time: number): number | typeof WITHIN {
    return time >= this.#started && time <= this.#ended ? WITHIN : time;
  }
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
