// What this browser keeps: small things only. A browser that refuses costs comfort, not data.

const PREFIX = 'tengen.';

export function keep(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Full or forbidden.
  }
}

export function kept<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}
