/** Words for a folder that other users can change or read. In its own file, so that it loads fast. */
import type { FactsOf } from '../../model/findings/coded.ts';
import type { fileFindings } from '../../model/findings/finding.ts';
import { say } from '../say.ts';

/** Says who can change the folder. The caller adds the consequence and the advice. */
export function sharedFolderText({ folder, how }: FactsOf<typeof fileFindings>['folder_shared']): string {
  return how === 'owned-by-another'
    ? say('Another user owns {folder}.', { folder })
    : say('Other users can write to {folder}.', { folder });
}

/** For keys outside the user's profile on Windows, where a file gets the rights of its folder. */
export const OTHERS_MAY_READ = say(
  'Other users may be able to read this folder: it is outside your user profile.',
);
