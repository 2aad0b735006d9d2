/** What a wizard has to say about what it found, most important first. */
import { Notice } from '../../elements/Notice.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import type { Remark } from './remark.ts';

export function RemarkList({ remarks }: { remarks: readonly Remark[] }) {
  return remarks.map(({ key, tone, title, text }) => (
    <Notice key={key} tone={tone} title={<SafeText text={title} />}>
      {text.map((paragraph) => (
        <p key={paragraph}>
          <SafeText text={paragraph} />
        </p>
      ))}
    </Notice>
  ));
}
