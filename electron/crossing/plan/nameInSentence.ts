/** A wallet's name as sentences call it. */
import { say } from '../../../shared/text/say.ts';

export function nameInSentence(wallet: string): string {
  return wallet === '' ? say('the unnamed wallet') : `“${wallet}”`;
}
