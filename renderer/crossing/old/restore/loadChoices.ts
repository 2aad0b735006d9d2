/** The three answers to "Load when the node starts". */
import { say } from '../../../../shared/text/say.ts';

export const LOAD_CHOICES: readonly { load: boolean | null; label: string; meaning: string }[] = [
  { load: null, label: say('Leave as it is'), meaning: say('The list is not changed.') },
  { load: true, label: say('Yes'), meaning: say('The name is put on the list.') },
  { load: false, label: say('No'), meaning: say('The name is taken off the list, if it is on it.') },
];
