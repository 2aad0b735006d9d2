/** The app's own copy of a wallet: where it lies, who made it, and what it was held against. */
import type { SafetyCopy } from '../../shared/safety.ts';
import { say } from '../../shared/say.ts';
import { formatSize } from '../words/formatSize.ts';
import { Disclosure } from './Disclosure.tsx';
import { PathLine } from './PathLine.tsx';
import { SafeText } from './SafeText.tsx';
import styles from './SafetyCopyLines.module.css';
import { Say } from './Say.tsx';
import { Term } from './Term.tsx';

export function SafetyCopyLines({ copy }: { copy: SafetyCopy }) {
  const [own, ...beside] = copy.files;
  return (
    <div className={styles.copy}>
      {copy.note !== null && (
        <p>
          <SafeText text={copy.note} />
        </p>
      )}
      {own && <File file={own} label={say('The app’s safety copy')} />}
      {beside.length > 0 && (
        <Disclosure
          summary={say(
            '{count, plural, one {# wallet beside it was copied too} other {# wallets beside it were copied too}}',
            { count: beside.length },
          )}
        >
          {beside.map((file) => (
            <File key={file.path} file={file} label={say('Copy')} />
          ))}
        </Disclosure>
      )}
    </div>
  );
}

function File({
  file: { path, source, size, sha256 },
  label,
}: {
  file: SafetyCopy['files'][number];
  label: string;
}) {
  return (
    <PathLine
      label={label}
      path={path}
      here={sha256 !== null}
      note={
        <>
          {size !== null && <>{say('Size: {size}.', { size: formatSize(size) })} </>}
          {sha256 === null ? (
            say('On the node’s machine, where the app cannot look at it.')
          ) : source === null ? (
            <Say
              text="Written by the node, and read again by the app. {fingerprint}: {sha256}"
              values={{ fingerprint: <Term word="SHA-256" />, sha256: <SafeText text={sha256} mono /> }}
            />
          ) : (
            <Say
              text="Equal to the wallet’s file, before and after, by {fingerprint}: {sha256}"
              values={{ fingerprint: <Term word="SHA-256" />, sha256: <SafeText text={sha256} mono /> }}
            />
          )}
        </>
      }
    />
  );
}
