/** Colours, fonts and component defaults of the light and the dark theme. */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/**
 * The accent: filled controls have shade 6 in the light theme and 5 in the dark one. White on both has a contrast of at least
 * 4.5:1, and both stand out from their background at 3:1.
 */
const ferry: MantineColorsTuple = [
  '#eef7f9',
  '#dcecf0',
  '#b7d8e0',
  '#8cc2cf',
  '#66adbf',
  '#2b7f97',
  '#1d6f85',
  '#175d70',
  '#124b5b',
  '#0c3846',
];

/** Mantine's dark backgrounds and greys, tinted with the accent. Shade 2 is dimmed text (7:1 on shade 7). */
const dark: MantineColorsTuple = [
  '#dbe1e5',
  '#bcc5cb',
  '#a1acb4',
  '#7f8b94',
  '#414b53',
  '#30393f',
  '#22292e',
  '#191f23',
  '#13181b',
  '#0e1214',
];

/** Fields hold names, paths, addresses and keys, so no spelling checks or suggestions. */
const AS_TYPED = { autoCapitalize: 'off', autoComplete: 'off', spellCheck: false };

export const theme = createTheme({
  colors: { ferry, dark },
  primaryColor: 'ferry',
  primaryShade: { light: 6, dark: 5 },
  black: '#1b2226',
  // Headings use it, too.
  fontFamily:
    'system-ui, -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif',
  fontSizes: { xs: '0.8125rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.1875rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  components: {
    // No fading: buttons of a closed dialog must not stay clickable.
    Popover: { defaultProps: { transitionProps: { duration: 0 } } },
    // Each has its own heading and close button.
    Modal: { defaultProps: { withCloseButton: false, lockScroll: false } },
    Drawer: { defaultProps: { withCloseButton: false, lockScroll: false } },
    InputBase: { defaultProps: AS_TYPED },
    PasswordInput: { defaultProps: AS_TYPED },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
});

/**
 * Colours of both themes. Text on `surface` has a contrast of at least 4.5:1, borders of fields at least 3:1. Each tone of a
 * notice has a background (surface), a border (line) and a colour for icon and words (text).
 */
const COLOURS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  '--mantine-color-body': ['#f6f8f8', dark[7]],
  '--mantine-color-dimmed': ['#55626a', dark[2]],
  '--mantine-color-placeholder': ['#66727a', '#919ca5'],
  '--mantine-color-error': ['#b3261e', '#ff9a91'],
  '--mantine-color-default-border': ['#7a868d', '#717d86'],
  '--mantine-color-disabled': ['#e3e9eb', '#2c353a'],
  '--mantine-color-disabled-color': ['#55626a', dark[2]],
  '--mantine-color-ferry-light': ['#dfeef2', '#1c414c'],
  '--mantine-color-ferry-light-hover': ['#cfe5eb', '#234f5c'],
  '--mantine-color-ferry-light-color': ['#12505f', '#b7e0ea'],
  '--ferry-card': ['#ffffff', '#20272b'],
  '--ferry-side': ['#eaf0f1', '#141a1d'],
  '--ferry-line': ['#d5dde0', '#384248'],
  '--ferry-quote': ['#eef2f3', '#171d20'],
  '--ferry-focus': ['#1d6f85', '#8cc2cf'],
  '--ferry-info-surface': ['#e6f2f5', '#17313a'],
  '--ferry-info-line': ['#b3d5de', '#2b5664'],
  '--ferry-info-text': ['#155e71', '#9fd3e0'],
  '--ferry-read-surface': ['#fff4dc', '#372b10'],
  '--ferry-read-line': ['#e8c878', '#6f5618'],
  '--ferry-read-text': ['#7a4d00', '#f3c968'],
  '--ferry-danger-surface': ['#fdecea', '#3c1d1b'],
  '--ferry-danger-line': ['#efb4ae', '#7c3a35'],
  '--ferry-danger-text': ['#a81e16', '#ffaba3'],
  '--ferry-good-surface': ['#e6f4ea', '#17301f'],
  '--ferry-good-line': ['#a9d6b6', '#2f5f3f'],
  '--ferry-good-text': ['#1b6332', '#94d9aa'],
};

export const cssVariablesResolver: CSSVariablesResolver = () => {
  const variables = Object.entries(COLOURS);
  return {
    variables: {},
    light: Object.fromEntries(variables.map(([name, [light]]) => [name, light])),
    dark: Object.fromEntries(variables.map(([name, [, dark]]) => [name, dark])),
  };
};
