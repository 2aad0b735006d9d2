/** Says beforehand that a try of a passphrase takes long, where a file asks for that many rounds of work. */
import type { Inspection } from '../../../shared/inspection.ts';
import { say } from '../../../shared/text/say.ts';
import { formatElapsed } from '../../../shared/words/format/formatDuration.ts';
import { Quiet } from '../../elements/text/Quiet.tsx';

export function LongTry({ encryption }: { encryption: Inspection['encryption'] }) {
  if (encryption === null || encryption.secondsPerTry === null) return null;
  return (
    <Quiet small>
      {say('Each try takes about {time}.', { time: formatElapsed(encryption.secondsPerTry) })}
    </Quiet>
  );
}
