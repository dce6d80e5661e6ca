// Jobs of the study on the screen: finding them again, and what one must know to show them.

import { live } from '../api/live.svelte';
import type { Job, JobRequest, NewJob } from '../api/types';
import { router } from '../route.svelte';
import { workbench } from '../workbench.svelte';

export const isOver = (job: Job): boolean => ['done', 'failed', 'stopped'].includes(job.state);

/** The same question; what is left out and what is null are the same. */
export function sameRequest(a: JobRequest, b: JobRequest): boolean {
  return canonical(a) === canonical(b);
}

function canonical(request: JobRequest): string {
  const given = Object.entries(request).filter(([, value]) => value !== null && value !== undefined);
  return JSON.stringify(given.sort(([one], [other]) => one.localeCompare(other)));
}

/** A job that answers the question already or is about to. */
export function findJob({ request, study }: NewJob): Job | undefined {
  return [...live.jobs.values()].find(
    (job) => job.study === study && !['failed', 'stopped'].includes(job.state) && sameRequest(job.request, request),
  );
}

/** The position that a job was asked about. */
export function positionOf(job: Job): string | null {
  return 'position' in job.request ? job.request.position : null;
}

export async function goToJob(job: Job): Promise<void> {
  const { study, node } = job;
  if (study === null) return;
  router.go('study', study);
  await workbench.try(() => workbench.open(study));
  if (workbench.study?.study.id === study && node !== null) workbench.study.goTo(node);
}
