/** Exports a wallet's descriptors for other software, where that can be done. */
import type { WalletSource } from '../../../shared/contract.ts';
import type { FileFacts } from '../../../shared/files.ts';
import type { Inspection } from '../../../shared/inspection.ts';
import type { Network } from '../../../shared/network.ts';
import { say } from '../../../shared/text/say.ts';
import { Notice } from '../../elements/Notice.tsx';
import { Section } from '../../elements/Section.tsx';
import { Quiet } from '../../elements/text/Quiet.tsx';
import { Say } from '../../elements/text/Say.tsx';
import { Term } from '../../elements/text/Term.tsx';
import { exportable } from './exportable.ts';
import { InspectExportForm } from './InspectExportForm.tsx';

interface InspectExportProps {
  source: WalletSource;
  facts: FileFacts | null;
  inspection: Inspection;
  /** The network that the user said it is of. */
  network: Network | null;
}

export function InspectExport({ source, facts, inspection, network }: InspectExportProps) {
  const found = exportable(inspection);
  return (
    <Section title={say('Export descriptors')} order={2}>
      <Quiet>
        <Say
          text={
            inspection.kind === 'legacy'
              ? 'A {descriptor} tells other wallet software which addresses there are, and with private keys how to spend from them. A legacy wallet has none: they come of a migration, which is rehearsed here on a copy. The copy is thrown away after that.'
              : 'A {descriptor} tells other wallet software which addresses there are, and with private keys how to spend from them.'
          }
          values={{ descriptor: <Term word="descriptor" /> }}
        />
      </Quiet>
      {found.can ? (
        <InspectExportForm
          source={source}
          inspection={inspection}
          network={network}
          parts={found.parts}
          name={source.by === 'wallet' ? source.name : (facts?.suggestedName ?? '')}
        />
      ) : (
        <Notice tone="info" title={say('No descriptors can be exported from this file')}>
          {found.why}
        </Notice>
      )}
    </Section>
  );
}
