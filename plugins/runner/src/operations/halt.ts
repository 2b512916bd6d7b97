import type { Halt } from '../rules/end.ts'

/** Stops a run once: the first reason counts. */
export class Stopper {
  private readonly controller = new AbortController()
  reason: { readonly why: Halt; readonly reason: string } | undefined
  get signal(): AbortSignal {
    return this.controller.signal
  }
  stop(why: Halt, reason: string): void {
    if (this.reason) return
    this.reason = { why, reason }
    this.controller.abort(new Error(reason))
  }
}
