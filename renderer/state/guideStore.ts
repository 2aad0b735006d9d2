/** What the user answered in the guide. It stays while other places are looked at. */
import { create } from 'zustand';

export type FilePlace = 'here' | 'elsewhere' | 'looking';
export type PassphraseAnswer = 'known' | 'unsure' | 'lost';

interface GuideState {
  filePlace: FilePlace | null;
  /** Path of the file that was chosen. */
  file: string | null;
  passphrase: PassphraseAnswer | null;
  answerPlace(filePlace: FilePlace): void;
  takeFile(file: string): void;
  answerPassphrase(passphrase: PassphraseAnswer): void;
  startAgain(): void;
}

const nothing = { filePlace: null, file: null, passphrase: null };

export const useGuide = create<GuideState>()((set) => ({
  ...nothing,
  answerPlace: (filePlace) => set({ filePlace }),
  // What was said of another file's passphrase does not hold for this one.
  takeFile: (file) => set({ filePlace: 'here', file, passphrase: null }),
  answerPassphrase: (passphrase) => set({ passphrase }),
  startAgain: () => set(nothing),
}));
