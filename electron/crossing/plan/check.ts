/** Makes one check's verdict. */
import type { Check, CheckId } from '../../../shared/safety.ts';

interface Words {
  title: string;
  text?: readonly string[];
  todo?: readonly string[];
}

export const fine = (id: CheckId, words: Words): Check => made(id, 'fine', words);
export const read = (id: CheckId, words: Words): Check => made(id, 'read', words);
export const unseen = (id: CheckId, words: Words): Check => made(id, 'unseen', words);
export const stop = (id: CheckId, words: Words): Check => made(id, 'stop', words);

function made(id: CheckId, verdict: Check['verdict'], { title, text = [], todo = [] }: Words): Check {
  return { id, verdict, title, text: [...text], todo: [...todo] };
}
