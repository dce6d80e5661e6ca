// Addresses of the games view and the openings view that carry a position.

const link = (view: string, rules: string, position: string): string => `#/${view}?${new URLSearchParams({ rules, position })}`;

export const gamesWith = (rules: string, position: string): string => link('games', rules, position);
export const openingsAt = (rules: string, position: string): string => link('openings', rules, position);
