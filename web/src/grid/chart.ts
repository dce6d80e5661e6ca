// Lines over time from samples: pure geometry, no page.

import type { GridSample } from '../api/types';

/** So many places a line has. */
const PLACES = 120;

/** Spans that a chart may show, in seconds. */
const SPANS = [300, 900, 1_800, 3_600, 3 * 3_600, 6 * 3_600, 12 * 3_600, 24 * 3_600];

/** No more time than there is something to show of, and no more than `most`. */
export function shownSpan(samples: GridSample[], most: number): number {
  const oldest = samples[0]?.ago ?? 0;
  return Math.min(SPANS.find((span) => span >= oldest) ?? most, most);
}

/** The means of a value in equal stretches of time, the oldest first; nothing where nothing is known. */
export function means(samples: GridSample[], span: number, value: (sample: GridSample) => number | null, places = PLACES): (number | null)[] {
  const sums = Array.from({ length: places }, () => ({ sum: 0, count: 0 }));
  for (const sample of samples) {
    const found = value(sample);
    const place = sums[places - 1 - Math.floor((sample.ago / span) * places)];
    if (!place || found === null) continue;
    place.sum += found;
    place.count += 1;
  }
  return sums.map(({ sum, count }) => (count > 0 ? sum / count : null));
}

/** Holes of a few places are bridged: samples need not fall into every place. */
function bridged(values: (number | null)[], longest: number): (number | null)[] {
  const whole = [...values];
  let last = -1;
  values.forEach((value, at) => {
    if (value === null) return;
    if (last >= 0 && at - last <= longest + 1) for (let hole = last + 1; hole < at; hole += 1) whole[hole] = values[last]!;
    last = at;
  });
  return whole;
}

export interface Paths {
  line: string;
  area: string;
}

/** A line and the area under it, for a picture of this size. `every` is the time between two samples. */
export function paths(values: (number | null)[], most: number, width: number, height: number, hole = 0): Paths {
  const whole = bridged(values, hole);
  const x = (at: number): string => ((at / Math.max(whole.length - 1, 1)) * width).toFixed(1);
  const y = (value: number): string => (height - Math.min(value / most, 1) * height).toFixed(1);
  const runs: { from: number; to: number }[] = [];
  whole.forEach((value, at) => {
    if (value === null) return;
    const run = runs.at(-1);
    if (run && run.to === at - 1) run.to = at;
    else runs.push({ from: at, to: at });
  });
  const drawn = runs.map(({ from, to }) => {
    const points = Array.from({ length: to - from + 1 }, (_, step) => `${x(from + step)} ${y(whole[from + step]!)}`);
    // A single place is a short dash.
    if (from === to) points.push(`${(Number(x(from)) + 1).toFixed(1)} ${y(whole[from]!)}`);
    const line = `M${points.join('L')}`;
    return { line, area: `${line}L${points.at(-1)!.split(' ')[0]} ${height}L${x(from)} ${height}z` };
  });
  return { line: drawn.map(({ line }) => line).join(''), area: drawn.map(({ area }) => area).join('') };
}

/** 1, 2 or 5 times a power of ten, at least as large as all values. */
export function ceiling(values: (number | null)[]): number {
  const most = Math.max(...values.map((value) => value ?? 0), 1);
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= most)!;
}

export function mean(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
}
