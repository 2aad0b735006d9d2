/** What a wizard has to say about a file, a wallet or a node before anything is done. */
import type { Tone } from '../../words/tone.ts';

export interface Remark {
  /** Stable, for lists and tests. */
  key: string;
  tone: Tone;
  /** True when the wizard does not go on from here. */
  stops: boolean;
  title: string;
  /** Paragraphs. May hold text from outside; shown through SafeText. */
  text: string[];
}

export function stopped(remarks: readonly Remark[]): boolean {
  return remarks.some(({ stops }) => stops);
}
