/** Splits bytes that come in pieces into lines of text. */

export type LineSplitter = ReturnType<typeof splitLines>;

/**
 * Splits at bytes and decodes whole lines only, so that no character is torn between two reads. A line over 64 kB is
 * cut there.
 */
export function splitLines(onLine: (line: string) => void) {
  let parts: Buffer[] = [];
  let length = 0;
  let skipping = false;

  const keep = (bytes: Buffer) => {
    const kept = bytes.subarray(0, LONGEST_LINE - length);
    if (skipping || kept.length === 0) return;
    parts.push(Buffer.from(kept));
    length += kept.length;
  };
  const finish = () => {
    const line = Buffer.concat(parts, length);
    const skipped = skipping;
    parts = [];
    length = 0;
    skipping = false;
    if (skipped) return;
    // `stream` leaves out a character that the cut went through, instead of a replacement character.
    const text = new TextDecoder().decode(line, { stream: line.length === LONGEST_LINE });
    onLine(text.endsWith('\r') ? text.slice(0, -1) : text);
  };

  return {
    push(bytes: Buffer): void {
      let start = 0;
      for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, start)) {
        keep(bytes.subarray(start, at));
        finish();
        start = at + 1;
      }
      if (start < bytes.length) keep(bytes.subarray(start));
    },
    /** The file ended here: what is left of a line is given out as it is. */
    end(): void {
      if (length > 0 || skipping) finish();
    },
    /** The line begun is not wanted: its start was written before the follower came. */
    skipRest(): void {
      skipping = true;
    },
  };
}

export const LINE_FEED = 10;
const LONGEST_LINE = 64 * 1024;
