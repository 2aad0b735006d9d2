/** Says beforehand that a try of a passphrase takes long, where a file asks for that many rounds of work. */
import { formatElapsed } from '../../../../shared/wording/format/formatDuration.ts';
import { say } from '../../../../shared/wording/say.ts';
import { Quiet } from '../../../components/text/texts.tsx';

/** Null where no file asks for it. */
export function LongTry({ seconds }: { seconds: number | null }) {
  if (seconds === null) return null;
  return <Quiet small>{say('Each try takes about {time}.', { time: formatElapsed(seconds) })}</Quiet>;
}
