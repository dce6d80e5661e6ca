// The tree around the current node as a small picture: a column for each turn, a row for each line.

import { ROOT, type Tree } from './tree';

export interface GraphNode {
  id: number;
  column: number;
  row: number;
}

export interface Graph {
  nodes: GraphNode[];
  edges: { from: GraphNode; to: GraphNode }[];
  rows: number;
  /** The number of the turn in the first column. */
  firstTurn: number;
}

const COLUMNS = 8;
const ROWS = 4;
const BEFORE = 4;

export function graphAround(tree: Tree, current: number, turnOf: (id: number) => number): Graph {
  const path = tree.path(current);
  const start = path[Math.max(0, path.length - 1 - BEFORE)] ?? ROOT;
  const onPath = new Set(path);
  const graph: Graph = { nodes: [], edges: [], rows: 1, firstTurn: 0 };
  const roots = start === ROOT ? tree.children(ROOT) : [start];
  const visit = (id: number, column: number, row: number): GraphNode => {
    const node = { id, column, row };
    graph.nodes.push(node);
    if (column + 1 >= COLUMNS) return node;
    // The line one is on goes first: it is the one that must be seen.
    const children = [...tree.children(id)].sort((a, b) => Number(onPath.has(b)) - Number(onPath.has(a)));
    children.forEach((child, index) => {
      if (index > 0 && graph.rows >= ROWS) return;
      const at = index === 0 ? row : graph.rows++;
      graph.edges.push({ from: node, to: visit(child, column + 1, at) });
    });
    return node;
  };
  const sorted = [...roots].sort((a, b) => Number(onPath.has(b)) - Number(onPath.has(a)));
  sorted.forEach((id, index) => {
    if (index > 0 && graph.rows >= ROWS) return;
    visit(id, 0, index === 0 ? 0 : graph.rows++);
  });
  graph.firstTurn = roots[0] === undefined ? 1 : turnOf(roots[0]);
  return graph;
}
