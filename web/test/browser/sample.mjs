// A library to look at: studies, a proof, and the games of our own matches.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export const WIN = 'B:H8,I9,J10,L8,M7 W:G7,K10,K12,N6 to-move:B';
const LINE = 'J10 I8 H9 K11 L10 J7 K6 F11 L5';

/** Waits for a job to end. */
export async function ended(server, id) {
  for (let round = 0; round < 600; round += 1) {
    const job = await server.api('GET', `/jobs/${id}`);
    if (!['queued', 'running', 'checking'].includes(job.state)) return job;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return assert.fail(`job ${id} does not end`);
}

/** A hundred games of the engines, as one SGF collection. */
function matchGames() {
  const log = readFileSync(new URL('../../../docs/logs/alphabeta-mcts.txt', import.meta.url), 'utf8');
  const games = log.split('\n').filter((line) => /^\d/.test(line));
  return games.map((line) => sgf(line.split(' '))).join('\n');
}

/** Number, opening, Black, White, result, reason, turns, stones. */
function sgf([number, , black, white, result, , , ...stones]) {
  const winner = { black: 'B+R', white: 'W+R' }[result] ?? '0';
  const turns = [stones.slice(0, 1)];
  for (let at = 1; at < stones.length; at += 2) turns.push(stones.slice(at, at + 2));
  const played = turns.map((turn, index) => `;${index % 2 === 0 ? 'B' : 'W'}[${turn.join('').toLowerCase()}]`).join('');
  return `(;PB[${black}]PW[${white}]RE[${winner}]EV[Match at one second]RO[${number}]${played})`;
}

export async function furnish(server) {
  const job = await server.api('POST', '/jobs', { request: { kind: 'find-win', rules: 'connect6', position: WIN, order: 1 } });
  const { outcome } = await ended(server, job.id);
  assert.equal(outcome.kind, 'win');
  const imported = await server.api('POST', '/collections?name=Matches&format=sgf&rules=connect6', matchGames());
  const { outcome: read } = await ended(server, imported.id);
  assert.equal(read.kind, 'imported');
  const { games } = await server.api('GET', `/games?collection=${read.collection}&limit=1`);
  await server.api('POST', '/studies', { title: 'Go-Moku', rules: 'gomoku', moves: 'H8 I9' });
  await server.api('POST', '/studies', { title: 'Won in five turns', folder: 'Wins', start: WIN });
  const { study, nodes } = await server.api('POST', '/studies', { title: 'I8 H9, K11 L10', folder: 'Openings', moves: LINE });
  const at = (turn) => nodes.find((node) => node.turn.join(' ') === turn);
  const variation = { parent: at('K11 L10').id, order: 1, name: 'Block first: J12 M9', comment: 'Blocks the long diagonal before anything is threatened.', marks: [], arrows: [], opinion: null };
  await server.api('POST', `/studies/${study.id}/edits`, {
    base: study.revision,
    label: 'add',
    patch: {
      put: [
        { ...at('F11 L5'), comment: 'F11 and L5 close every window through H9–K6. The four is dead; White has spent the tempo.' },
        { ...at('J7 K6'), name: 'Main line J7 K6' },
        { ...variation, id: study.next_node, turn: ['J12', 'M9'] },
      ],
      remove: [],
    },
  });
  return { study: study.id, proof: outcome.proof, game: games[0].id };
}
