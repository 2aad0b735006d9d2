/** Loaded first by each program in the emulator of `windows.ts`, which would overwrite these variables. */
Object.assign(process.env, JSON.parse(process.env.WINDOWS_VARIABLES ?? '{}'));
