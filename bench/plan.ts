export interface Plan {
  readonly seconds: number
  /** Number of times that each thing is measured, in turn with the others; the median counts. */
  readonly rounds: number
  readonly many: number
  readonly folder: () => string
}
