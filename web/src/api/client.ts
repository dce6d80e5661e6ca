// Requests to the server. Every failure is an `ApiFailure` whose message a person understands.

import { t } from '../i18n';
import type {
  About, Atlas, BookEntry, BookHit, BookQuery, Challenge, Collection, Document, DrawnAnswer, DrawnGame, DrawnRequest, Edit, Edited, Explored, ExploreRequest, Facts, Game, GameList, GameQuery,
  GomokuAnswer, GomokuState,
  GridHistory, GridSpan, GridState, GridUsage, Heat,
  ImportQuery, Job, Judged, JudgeRequest, NewBookComment, NewJob, NewSearch, NewStudy, Opening, Place, PlacesRequest, PositionText, ProofSummary, PuzzleCollection, PuzzleDetail, PuzzleQuery, PuzzleSummary,
  SearchSummary, SearchTree, SearchTreeQuery, Study, Undone,
} from './types';

export type Turn = string[];

export class ApiFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }

  /** The server could not be reached; trying again may help. */
  get offline(): boolean {
    return this.code === 'offline';
  }
}

async function request(method: string, path: string, body?: BodyInit | object): Promise<Response> {
  const raw = body instanceof Blob || body instanceof ArrayBuffer || typeof body === 'string';
  const init: RequestInit = { method };
  if (body !== undefined) {
    init.body = raw ? (body as BodyInit) : JSON.stringify(body);
    init.headers = { 'content-type': raw ? 'application/octet-stream' : 'application/json' };
  }
  let response: Response;
  try {
    response = await fetch(`/api${path}`, init);
  } catch {
    throw new ApiFailure('offline', t('error.offline'));
  }
  if (response.ok) return response;
  const error = (await response.json().catch(() => null)) as { code: string; message: string } | null;
  throw new ApiFailure(error?.code ?? 'internal', error?.message ?? t('error.status', { status: String(response.status) }));
}

async function json<T>(method: string, path: string, body?: BodyInit | object): Promise<T> {
  const response = await request(method, path, body);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** A download with the name that the server gives it. */
async function file(path: string): Promise<{ blob: Blob; name: string }> {
  const response = await request('GET', path);
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { blob: await response.blob(), name: name ?? 'tengen.txt' };
}

function query(fields: object): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

export const api = {
  about: () => json<About>('GET', '/about'),
  facts: (position: PositionText) => json<Facts>('POST', '/position', position),
  heat: (position: PositionText) => json<Heat>('POST', '/heat', position),

  studies: () => json<Study[]>('GET', '/studies'),
  study: (id: number) => json<Document>('GET', `/studies/${id}`),
  newStudy: (study: NewStudy) => json<Document>('POST', '/studies', study),
  changeStudy: (id: number, study: NewStudy) => json<Study>('PATCH', `/studies/${id}`, study),
  deleteStudy: (id: number) => json<void>('DELETE', `/studies/${id}`),
  edit: (id: number, edit: Edit) => json<Edited>('POST', `/studies/${id}/edits`, edit),
  undo: (id: number, base: number) => json<Undone>('POST', `/studies/${id}/undo`, { base }),
  redo: (id: number, base: number) => json<Undone>('POST', `/studies/${id}/redo`, { base }),
  importStudies: (file: Blob, how: ImportQuery) => json<Study[]>('POST', `/studies/import${query(how)}`, file),
  exportStudy: (id: number, format: string) => file(`/studies/${id}/export?format=${format}`),
  search: (text: string) => json<Place[]>('GET', `/search${query({ text })}`),

  jobs: () => json<Job[]>('GET', '/jobs'),
  newJob: (job: NewJob) => json<Job>('POST', '/jobs', job),
  stopJob: (id: number) => json<Job>('POST', `/jobs/${id}/stop`),
  seenJob: (id: number) => json<void>('POST', `/jobs/${id}/seen`),
  forgetJob: (id: number) => json<void>('DELETE', `/jobs/${id}`),

  proofs: () => json<ProofSummary[]>('GET', '/proofs'),
  proof: (id: number) => json<ProofSummary>('GET', `/proofs/${id}`),
  addProof: (file: Blob, title: string) => json<ProofSummary>('POST', `/proofs${query({ title })}`, file),
  renameProof: (id: number, title: string) => json<ProofSummary>('PATCH', `/proofs/${id}`, { title }),
  deleteProof: (id: number) => json<void>('DELETE', `/proofs/${id}`),
  proofFile: (id: number, form: string) => file(`/proofs/${id}/file?form=${form}`),
  challenge: (id: number, replies: Turn[]) => json<Challenge>('POST', `/proofs/${id}/challenge`, { replies }),

  drawnGames: () => json<DrawnGame[]>('GET', '/drawn'),
  drawnAnswer: (what: DrawnRequest) => json<DrawnAnswer>('POST', '/drawn/answer', what),
  gomoku: () => json<GomokuState>('GET', '/gomoku'),
  gomokuPlay: (moves: string[]) => json<GomokuAnswer>('GET', `/gomoku/play${query({ moves: moves.join(',') })}`),
  puzzleCollections: () => json<PuzzleCollection[]>('GET', '/puzzles/collections'),
  puzzles: (which: PuzzleQuery) => json<PuzzleSummary[]>('GET', `/puzzles${query(which)}`),
  puzzle: (id: string, which: PuzzleQuery) => json<PuzzleDetail>('GET', `/puzzles/${encodeURIComponent(id)}${query(which)}`),
  judge: (what: JudgeRequest) => json<Judged>('POST', '/puzzles/judge', what),

  collections: () => json<Collection[]>('GET', '/collections'),
  importGames: (file: Blob, how: ImportQuery) => json<Job>('POST', `/collections${query(how)}`, file),
  deleteCollection: (id: number) => json<void>('DELETE', `/collections/${id}`),
  games: (which: GameQuery) => json<GameList>('GET', `/games${query(which)}`),
  game: (id: number) => json<Game>('GET', `/games/${id}`),
  explore: (what: ExploreRequest) => json<Explored>('POST', '/explore', what),
  openings: () => json<Opening[]>('GET', '/openings'),
  places: (what: PlacesRequest) => json<Place[]>('POST', '/places', what),

  book: (what: BookQuery) => json<BookEntry>('GET', `/book?${new URLSearchParams({ ...what })}`),
  findInBook: (q: string) => json<BookHit[]>('GET', `/book/search?${new URLSearchParams({ q })}`),
  addComment: (comment: NewBookComment) => json<void>('POST', '/book/comments', comment),
  atlas: (region: string) => json<Atlas>('GET', `/atlas${query({ region })}`),

  searches: () => json<SearchSummary[]>('GET', '/searches'),
  newSearch: (search: NewSearch) => json<SearchSummary>('POST', '/searches', search),
  tellSearch: (id: number, what: 'pause' | 'resume' | 'stop') => json<SearchSummary>('POST', `/searches/${id}/${what}`),
  deleteSearch: (id: number) => json<void>('DELETE', `/searches/${id}`),
  searchTree: (id: number, which: SearchTreeQuery = {}) => json<SearchTree>('GET', `/searches/${id}/tree${query(which)}`),
  hintSearch: (id: number, node: number, hint: 'exclude' | 'allow' | 'suggest', turn: Turn) =>
    json<SearchSummary>('POST', `/searches/${id}/nodes/${node}/${hint}`, { turn }),
  retryNode: (id: number, node: number) => json<SearchSummary>('POST', `/searches/${id}/nodes/${node}/retry`),
  keepSearchProof: (id: number) => json<ProofSummary>('POST', `/searches/${id}/proof`),

  grid: () => json<GridState>('GET', '/grid'),
  gridHistory: (span: GridSpan) => json<GridHistory>('GET', `/grid/history${query({ span })}`),
  useGrid: (client: string, usage: GridUsage) => json<void>('PUT', `/grid/searches/${encodeURIComponent(client)}`, usage),
  drainWorker: (name: string) => json<void>('POST', `/grid/workers/${encodeURIComponent(name)}/drain`),
  dropWorker: (name: string, reason: string) => json<void>('POST', `/grid/workers/${encodeURIComponent(name)}/drop`, { reason }),
  believeWorker: (name: string) => json<void>('POST', `/grid/workers/${encodeURIComponent(name)}/believe`),
};
