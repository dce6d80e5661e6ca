// Where one is, as the address says: `#/study/3`, `#/proofs/12`, `#/position?rules=connect6&moves=J10+I8+H9`.

export type View = 'study' | 'proofs' | 'openings' | 'games' | 'grid' | 'puzzles' | 'drawn' | 'gomoku' | 'position';

const VIEWS: readonly View[] = ['study', 'proofs', 'openings', 'games', 'grid', 'puzzles', 'drawn', 'gomoku', 'position'];

export interface Route {
  view: View;
  id: number | null;
  query: URLSearchParams;
}

function read(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [view, id] = path.split('/');
  return {
    view: VIEWS.find((known) => known === view) ?? 'study',
    id: id && /^\d+$/.test(id) ? Number(id) : null,
    query: new URLSearchParams(query),
  };
}

class Router {
  at = $state.raw(read());

  constructor() {
    addEventListener('hashchange', () => (this.at = read()));
  }

  go(view: View, id?: number): void {
    location.hash = href(view, id);
  }

  /** Changes the address without a step in the browser's history. */
  replace(view: View, id?: number): void {
    history.replaceState(null, '', href(view, id));
    this.at = read();
  }
}

export const href = (view: View, id?: number): string => (id === undefined ? `#/${view}` : `#/${view}/${id}`);

export const router = new Router();

/** A link that carries the position itself: it works in any Tengen. */
export function positionLink(rules: string, position: string): string {
  const query = new URLSearchParams({ rules, position });
  return `${location.origin}${location.pathname}#/position?${query}`;
}
