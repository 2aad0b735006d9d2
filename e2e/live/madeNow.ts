/** A span of time, for telling what was made in it from what is older. */

const NOW = 'made now';

export class MadeNow {
  readonly #started = seconds();
  #ended = Number.POSITIVE_INFINITY;

  end(): void {
    this.#ended = seconds();
  }

  /** A time in Unix seconds, or one word for all the times of the span. */
  timeOrNow(time: number): number | typeof NOW {
    return time >= this.#started && time <= this.#ended ? NOW : time;
  }
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
