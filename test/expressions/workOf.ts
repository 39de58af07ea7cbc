/** Milliseconds that are always allowed: below, the ratio of two times says nothing. */
const allowedMs = 250
/** Milliseconds that nothing may take, on a machine that is busy. */
const longestMs = 5_000

const timeOf = (work: () => unknown): number => {
  const start = performance.now()
  work()
  return performance.now() - start
}

/**
 * Says how the time of some work grows faster than its text, or undefined. Twice the text may take three times as long; a work that is
 * quadratic takes four times as long. Texts grow step by step, so that even such a work ends.
 */
export function superlinear(textOf: (length: number) => string, work: (text: string) => unknown): string | undefined {
  const best = (length: number, times: number): number => {
    const text = textOf(length)
    return Math.min(...Array.from({ length: times }, () => timeOf(() => work(text))))
  }
  for (const length of [12_500, 25_000, 50_000, 100_000]) {
    if (best(length, 1) < allowedMs) continue
    const [half, whole] = [best(length / 2, 3), best(length, 3)]
    const isSlow = whole > longestMs || (whole > allowedMs && whole > 3 * half)
    if (isSlow) return `${length / 2} characters take ${Math.round(half)} ms, ${length} take ${Math.round(whole)} ms`
  }
  return undefined
}
