import { Histogram } from './histogram.ts'

/** Number of slices by which a window slides. */
const SLICES = 3

class Slice {
  /** The slice of time that it holds. */
  of = -1
  readonly durations = new Histogram()
  faults = 0
}

export class RouteWindow {
  readonly #slices = Array.from({ length: SLICES }, () => new Slice())

  add(slice: number, durationMs: number, isFault: boolean): void {
    const into = this.#slices[slice % SLICES] as Slice
    if (into.of !== slice) {
      into.of = slice
      into.durations.clear()
      into.faults = 0
    }
    into.durations.add(durationMs)
    if (isFault) into.faults++
  }

  /** Figures of the slices up to this one, which is running. */
  read(slice: number): { samples: number; p95: number; errorRatePct: number } {
    const all = new Histogram()
    let faults = 0
    for (const one of this.#slices) {
      if (one.of > slice - SLICES && one.of <= slice) {
        all.merge(one.durations)
        faults += one.faults
      }
    }
    return { samples: all.count, p95: all.quantile(0.95), errorRatePct: all.count === 0 ? 0 : (faults / all.count) * 100 }
  }
}

export const sliceOf = (now: number, windowMinutes: number): number => Math.floor((now * SLICES) / (windowMinutes * 60_000))
