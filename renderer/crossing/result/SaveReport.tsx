/** A report of one crossing for the user's own records, saved as text or as PDF, which a browser makes by printing it. */
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { say } from '../../../shared/text/say.ts';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { SmallButton } from '../../elements/input/ActionButton.tsx';
import { Spoken } from '../../elements/text/texts.tsx';
import { useApp } from '../../state/appStore.ts';
import { bridge } from '../../state/bridge/bridge.ts';
import { pickFile } from '../../state/filePicker.ts';
import { useAsking } from '../../state/useAsking.ts';
import { PathLine } from '../PathLine.tsx';

interface SaveReportProps {
  id: string;
  /** When it began, in Unix seconds: the file is named after that. */
  started: number;
  describedBy?: string | undefined;
}

export function SaveReport({ id, started, describedBy }: SaveReportProps) {
  const canSavePdf = useApp(({ info }) => info?.canSavePdf ?? false);
  const [saved, setSaved] = useState<string | null>(null);
  const [printed, setPrinted] = useState<string | null>(null);
  const { error, ask } = useAsking();

  const print = () => ask(async () => setPrinted((await bridge.call('crossings.ownReport', { id })).text));

  async function save(ending: 'txt' | 'pdf') {
    const day = new Date(started * 1000).toISOString().slice(0, 10);
    const destination = await pickFile({
      purpose: 'save-report',
      suggestedName: `wallet-ferry-report-${day}.${ending}`,
    });
    if (destination === null) return;
    setSaved(null);
    await ask(async () => setSaved((await bridge.call('crossings.saveReport', { id, destination })).path));
  }

  return (
    <>
      <SmallButton describedBy={describedBy} onClick={() => void save('txt')}>
        {canSavePdf ? say('Save this report…') : say('Save this report as text…')}
      </SmallButton>
      <SmallButton describedBy={describedBy} onClick={() => void (canSavePdf ? save('pdf') : print())}>
        {canSavePdf ? say('Save as PDF…') : say('Print or save as PDF…')}
      </SmallButton>
      {printed !== null && <OnPaper text={printed} onEnd={setPrinted} />}
      <Spoken>{saved !== null && <PathLine label={say('The report')} path={saved} />}</Spoken>
      {error && <ErrorNotice title={say('Not saved')} error={error} />}
    </>
  );
}

/** What is printed in place of the page: see page.css. Opens the browser's dialog. */
function OnPaper({ text, onEnd }: { text: string; onEnd: (text: null) => void }) {
  useEffect(() => {
    const end = () => onEnd(null);
    window.addEventListener('afterprint', end);
    window.print();
    return () => window.removeEventListener('afterprint', end);
  }, [onEnd]);
  return createPortal(<pre data-paper>{text}</pre>, document.body);
}
