// Glicko-2 for one attempt at a time (Glickman, "Example of the Glicko-2 system"): the solver against the puzzle.

export interface Strength {
  rating: number;
  deviation: number;
  volatility: number;
}

export const NEW_SOLVER: Strength = { rating: 1_500, deviation: 350, volatility: 0.06 };

const SCALE = 173.7178;
/** How much volatility may change. */
const TAU = 0.5;

/** The strength after one attempt: score 1 for the winner, 0 for the loser. */
export function afterAttempt(own: Strength, other: Strength, score: number): Strength {
  const mu = (own.rating - 1_500) / SCALE;
  const phi = own.deviation / SCALE;
  const otherMu = (other.rating - 1_500) / SCALE;
  const g = 1 / Math.sqrt(1 + (3 * (other.deviation / SCALE) ** 2) / Math.PI ** 2);
  const expected = 1 / (1 + Math.exp(-g * (mu - otherMu)));
  const v = 1 / (g ** 2 * expected * (1 - expected));
  const delta = v * g * (score - expected);
  const volatility = newVolatility(phi, v, delta, own.volatility);
  const before = Math.sqrt(phi ** 2 + volatility ** 2);
  const after = 1 / Math.sqrt(1 / before ** 2 + 1 / v);
  return {
    rating: SCALE * (mu + after ** 2 * g * (score - expected)) + 1_500,
    deviation: Math.min(350, Math.max(30, SCALE * after)),
    volatility,
  };
}

/** Step 5 of the paper: the Illinois method. */
function newVolatility(phi: number, v: number, delta: number, volatility: number): number {
  const a = Math.log(volatility ** 2);
  const f = (x: number): number => {
    const e = Math.exp(x);
    const sum = phi ** 2 + v + e;
    return (e * (delta ** 2 - sum)) / (2 * sum ** 2) - (x - a) / TAU ** 2;
  };
  let low = a;
  let high: number;
  if (delta ** 2 > phi ** 2 + v) {
    high = Math.log(delta ** 2 - phi ** 2 - v);
  } else {
    let k = 1;
    while (f(a - k * TAU) < 0) k += 1;
    high = a - k * TAU;
  }
  let [atLow, atHigh] = [f(low), f(high)];
  for (let step = 0; step < 100 && Math.abs(high - low) > 1e-6; step += 1) {
    const middle = low + ((low - high) * atLow) / (atHigh - atLow);
    const atMiddle = f(middle);
    if (atMiddle * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [middle, atMiddle];
  }
  return Math.exp(low / 2);
}
