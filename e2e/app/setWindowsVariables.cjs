/** Loaded first by each program in the emulator of `windows.ts`, which sets these variables itself at its start. */
Object.assign(process.env, JSON.parse(process.env.WINDOWS_VARIABLES ?? '{}'));
