/** The three answers to "Load when the node starts". */
export const LOAD_CHOICES: readonly { load: boolean | null; label: string; meaning: string }[] = [
  { load: null, label: 'Leave as it is', meaning: 'The list is not changed.' },
  { load: true, label: 'Yes', meaning: 'The name is put on the list.' },
  { load: false, label: 'No', meaning: 'The name is taken off the list, if it is on it.' },
];
