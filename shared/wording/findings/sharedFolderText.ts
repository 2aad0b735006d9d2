/** Words for a folder that other users of this computer can change. They need no other words, and so load fast. */
import type { FactsOf } from '../../model/findings/coded.ts';
import type { fileFindings } from '../../model/findings/finding.ts';
import { say } from '../say.ts';

/** Says who can change the folder. The caller says what the app does not do because of it, and what to do. */
export function sharedFolderText({ folder, how }: FactsOf<typeof fileFindings>['folder_shared']): string {
  return how === 'owned-by-another'
    ? say('Another user owns {folder}.', { folder })
    : say('Other users can write to {folder}.', { folder });
}
