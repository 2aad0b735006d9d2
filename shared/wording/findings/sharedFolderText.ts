/** Words for a folder that other users can change. In its own file, so that it loads fast. */
import type { FactsOf } from '../../model/findings/coded.ts';
import type { fileFindings } from '../../model/findings/finding.ts';
import { say } from '../say.ts';

/** Says who can change the folder. The caller adds the consequence and the advice. */
export function sharedFolderText({ folder, how }: FactsOf<typeof fileFindings>['folder_shared']): string {
  return how === 'owned-by-another'
    ? say('Another user owns {folder}.', { folder })
    : say('Other users can write to {folder}.', { folder });
}
