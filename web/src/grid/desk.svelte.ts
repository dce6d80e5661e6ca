// The grid as somebody looks at it: asked for when the server says that something happens there, at most once a second.

import { api, ApiFailure } from '../api/client';
import { live } from '../api/live.svelte';
import type { GridHistory, GridSearch, GridSpan, GridState, GridUsage } from '../api/types';
import { t } from '../i18n';
import { workbench } from '../workbench.svelte';

const PAUSE = 900;
const HISTORY_PAUSE = 5_000;

export class GridDesk {
  state = $state.raw<GridState | null>(null);
  history = $state.raw<GridHistory | null>(null);
  span = $state<GridSpan>('hour');
  problem = $state('');

  #asking = false;
  #again = false;

  /** The searches by their names on the grid, with numbers for their colours. */
  names = $derived.by(() => new Map((this.state?.searches ?? []).map((search, index) => [search.client, { search, index }])));

  follow(): void {
    $effect(() => {
      void [live.grid, live.online];
      void this.refresh();
    });
    $effect(() => {
      const { span } = this;
      if (!this.used) return;
      const look = (): void => void api.gridHistory(span).then((found) => this.span === span && (this.history = found), () => undefined);
      look();
      const timer = setInterval(look, HISTORY_PAUSE);
      return () => clearInterval(timer);
    });
  }

  /** Whether this workbench uses a grid. */
  used = $derived.by(() => this.state !== null && this.state.address !== null);

  /** One request at a time, and a pause after it. */
  async refresh(): Promise<void> {
    this.#again = true;
    if (this.#asking) return;
    this.#asking = true;
    while (this.#again) {
      this.#again = false;
      try {
        this.state = await api.grid();
        this.problem = '';
      } catch (error) {
        this.problem = error instanceof ApiFailure ? error.message : String(error);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    this.#asking = false;
  }

  /** Does something, and says so. */
  async #do(work: () => Promise<unknown>, done: string): Promise<boolean> {
    const fine = await workbench.try(async () => {
      await work();
      return true;
    });
    if (fine) workbench.say(done);
    void this.refresh();
    return fine ?? false;
  }

  use({ client, title }: GridSearch, usage: GridUsage): Promise<boolean> {
    return this.#do(() => api.useGrid(client, usage), t('grid.said.use', { title }));
  }

  drain(name: string): Promise<boolean> {
    return this.#do(() => api.drainWorker(name), t('grid.said.drain', { name }));
  }

  drop(name: string, reason: string): Promise<boolean> {
    return this.#do(() => api.dropWorker(name, reason), t('grid.said.drop', { name }));
  }

  believe(name: string): Promise<boolean> {
    return this.#do(() => api.believeWorker(name), t('grid.said.believe', { name }));
  }

  retry(search: number, node: number): Promise<boolean> {
    return this.#do(() => api.retryNode(search, node), t('grid.said.retry'));
  }

  /** A step more or less for a search. */
  share(client: string, step: 1 | -1): void {
    const search = this.names.get(client)?.search;
    const weight = (search?.usage.weight ?? 0) + step;
    if (search && weight >= 1 && weight <= 1_000) void this.use(search, { ...search.usage, weight });
  }
}
