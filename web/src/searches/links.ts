// Addresses of searches.

export const searchAt = (id: number): string => `#/openings?${new URLSearchParams({ tab: 'searches', search: String(id) })}`;
