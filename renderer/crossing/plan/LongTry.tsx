/** Says beforehand that a try of a passphrase takes long, where a file asks for that many rounds of work. */
import { say } from '../../../shared/text/say.ts';
import { formatElapsed } from '../../../shared/words/format/formatDuration.ts';
import { Quiet } from '../../elements/text/texts.tsx';

/** Null where no file asks for it. */
export function LongTry({ seconds }: { seconds: number | null }) {
  if (seconds === null) return null;
  return <Quiet small>{say('Each try takes about {time}.', { time: formatElapsed(seconds) })}</Quiet>;
}
