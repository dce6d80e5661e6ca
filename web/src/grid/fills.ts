// Searches have a colour and a pattern each; the fifth looks like the first. `Fills.svelte` draws the patterns.

const FILLS = ['var(--q1)', 'url(#pQ2)', 'var(--q3)', 'url(#pQ4)'] as const;

export const fillOf = (index: number): string => FILLS[index % FILLS.length]!;
