/** Public descriptors of a wallet, each whole and with what it is for. */
import type { InspectedDescriptor } from '../../../shared/inspection.ts';
import type { Listed } from '../../../shared/shapes.ts';
import { say } from '../../../shared/text/say.ts';
import { descriptorWords } from '../../../shared/words/inspectionWords.ts';
import { PagedList } from '../../elements/list/PagedList.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import styles from './DescriptorList.module.css';

interface DescriptorListProps {
  descriptors: Listed<InspectedDescriptor>;
  /** The list's name for screen readers. */
  label: string;
}

export function DescriptorList({ descriptors: { total, shown }, label }: DescriptorListProps) {
  const untold = total - shown.length;
  return (
    <>
      <PagedList
        look="plain"
        label={label}
        items={shown}
        // Two can read the same.
        keyOf={(_, index) => index}
        row={(descriptor) => <Descriptor descriptor={descriptor} />}
        page={AT_ONCE}
      />
      {untold > 0 && (
        <p className={styles.words}>{say('{count, number} more not shown.', { count: untold })}</p>
      )}
    </>
  );
}

/** More would make the page slow. */
const AT_ONCE = 100;

function Descriptor({ descriptor }: { descriptor: InspectedDescriptor }) {
  return (
    <div className={styles.item}>
      {descriptor.text === null ? (
        <span>{say('Cannot be shown without a private key.')}</span>
      ) : (
        <code className={styles.text}>
          <SafeText text={descriptor.text} mono />
        </code>
      )}
      <span className={styles.words}>{descriptorWords(descriptor)}</span>
    </div>
  );
}
