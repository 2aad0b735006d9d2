/** The file's format and records, for those who want to know. */
import { Box } from '@mantine/core';
import type { InspectedFile, Inspection } from '../../../../shared/model/inspection.ts';
import { visibleText } from '../../../../shared/model/names/visibleText.ts';
import { formatCount } from '../../../../shared/wording/format/counted.ts';
import { formatBytes } from '../../../../shared/wording/format/formatSize.ts';
import { listed } from '../../../../shared/wording/format/listed.ts';
import { say } from '../../../../shared/wording/say.ts';
import layout from '../../../components/layout.module.css';
import { FactList } from '../../../components/lists.tsx';
import { Disclosure } from '../../../components/parts.tsx';
import { SafeText } from '../../../components/texts.tsx';

export function InspectRecords({ inspection }: { inspection: Inspection }) {
  const { file, records, formatVersion, encryption, flags } = inspection;
  const types = Object.entries(records.byType).sort(([one], [other]) => (one < other ? -1 : 1));
  return (
    <Disclosure look="boxed" summary={say('Format and records')}>
      <Box p="sm" className={layout.flat}>
        <FactList
          facts={[
            ...formatFacts(file.format),
            formatVersion !== null && { label: say('Format version'), value: String(formatVersion) },
            flags.length > 0 && {
              label: say('Flags'),
              value: <SafeText text={flags.join(', ')} mono />,
            },
            encryption && {
              label: say('Encryption'),
              value: listed([
                say('{count, plural, one {# passphrase record} other {# passphrase records}}', {
                  count: encryption.masterKeys,
                }),
                say('{count, plural, one {# round} other {# rounds}}', { count: encryption.iterations }),
              ]),
            },
            { label: say('Records'), value: formatCount(records.total) },
            ...types.slice(0, MOST_TYPES).map(([type, count]) => ({
              label: visibleText(type),
              value: formatCount(count),
            })),
          ]}
        />
      </Box>
    </Disclosure>
  );
}

/** There are some forty known ones; a damaged file could have any number of others. */
const MOST_TYPES = 60;

function formatFacts(format: InspectedFile['format']): { label: string; value: string }[] {
  const pages = { label: say('Page size'), value: formatBytes(format.pageSize) };
  if (format.kind === 'sqlite') {
    const id = (format.applicationId >>> 0).toString(16).padStart(8, '0');
    return [
      { label: say('Format'), value: say('SQLite') },
      pages,
      { label: say('Application id'), value: id },
    ];
  }
  return [
    { label: say('Format'), value: say('Berkeley DB') },
    pages,
    {
      label: say('Byte order'),
      value: format.byteOrder === 'little' ? say('Little endian') : say('Big endian'),
    },
    {
      label: say('Closed cleanly'),
      value: format.cleanlyClosed
        ? say('Yes')
        : say('{count, plural, one {No (# page)} other {No (# pages)}}', { count: format.uncleanPages }),
    },
  ];
}
