/** The file's format and records, for those who want to know. */
import type { InspectedFile, Inspection } from '../../shared/inspection.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { FactList } from '../components/FactList.tsx';
import { SafeText } from '../components/SafeText.tsx';
import { visibleText } from '../components/visibleText.ts';
import { counted, formatCount } from '../words/formatCount.ts';
import styles from './Inspect.module.css';

export function InspectRecords({ inspection }: { inspection: Inspection }) {
  const { file, records, formatVersion, encryption, flags } = inspection;
  const types = Object.entries(records.byType).sort(([one], [other]) => (one < other ? -1 : 1));
  return (
    <Disclosure look="boxed" summary="Format and records of the file">
      <div className={styles.detail}>
        <FactList
          facts={[
            ...formatFacts(file.format),
            ...(formatVersion === null ? [] : [{ label: 'Format version', value: String(formatVersion) }]),
            ...(flags.length === 0
              ? []
              : [{ label: 'Flags', value: <SafeText text={flags.join(', ')} mono /> }]),
            ...(encryption === null
              ? []
              : [
                  {
                    label: 'Encryption',
                    value: `${counted(encryption.masterKeys, 'passphrase record')}, ${counted(encryption.iterations, 'round')}`,
                  },
                ]),
            { label: 'Records', value: formatCount(records.total) },
            ...types.slice(0, MOST_TYPES).map(([type, count]) => ({
              label: visibleText(type),
              value: formatCount(count),
            })),
          ]}
        />
      </div>
    </Disclosure>
  );
}

/** There are some forty known ones; a damaged file could have any number of others. */
const MOST_TYPES = 60;

function formatFacts(format: InspectedFile['format']): { label: string; value: string }[] {
  const pages = { label: 'Page size', value: `${formatCount(format.pageSize)} bytes` };
  if (format.kind === 'sqlite') {
    const id = (format.applicationId >>> 0).toString(16).padStart(8, '0');
    return [{ label: 'Format', value: 'SQLite' }, pages, { label: 'Application id', value: id }];
  }
  return [
    { label: 'Format', value: 'Berkeley DB' },
    pages,
    { label: 'Byte order', value: format.byteOrder === 'little' ? 'Little endian' : 'Big endian' },
    {
      label: 'Closed cleanly',
      value: format.cleanlyClosed ? 'Yes' : `No (${formatCount(format.uncleanPages)} pages)`,
    },
  ];
}
