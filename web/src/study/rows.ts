// A tree as a list of rows: the main line goes down, variations are indented below the turn they replace.

import { ROOT, type Tree } from './tree';

export interface Row {
  id: number;
  /** How deep in variations. */
  indent: number;
  /** The number of the turn. */
  turn: number;
  /** So many turns are folded away here. */
  folded: number;
  /** Has variations that can be folded. */
  foldable: boolean;
}

interface Todo {
  id: number;
  indent: number;
  turn: number;
}

/** All rows; turns whose number is in `folded` hide the variations beside them. */
export function rowsOf(tree: Tree, folded: ReadonlySet<number>): Row[] {
  const rows: Row[] = [];
  // Last in, first out: a main child waits until the variations beside it are listed.
  const todo: Todo[] = [];
  const push = (parent: number, indent: number, turn: number): void => {
    const [first, ...others] = tree.children(parent);
    if (first === undefined) return;
    todo.push({ id: first, indent, turn });
    const row: Row = { id: first, indent, turn, folded: 0, foldable: others.length > 0 };
    rows.push(row);
    if (folded.has(first)) {
      row.folded = others.reduce((sum, id) => sum + tree.subtree(id).length, 0);
      return;
    }
    for (const id of [...others].reverse()) todo.push({ id: -id, indent: indent + 1, turn });
  };
  push(ROOT, 0, 1);
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { indent, turn } = next;
    // A negative number is a variation whose own row is not there yet.
    const id = Math.abs(next.id);
    if (next.id < 0) rows.push({ id, indent, turn, folded: 0, foldable: false });
    push(id, indent, turn + 1);
  }
  return rows;
}
