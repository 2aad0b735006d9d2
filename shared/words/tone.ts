/** The tone of what is said: to know, to read first, to beware of, or done well. */
export type Tone = 'info' | 'read' | 'danger' | 'good';
