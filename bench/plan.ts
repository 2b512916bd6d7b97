/** Extent of the measurements. */
export interface Plan {
  /** Length of one measurement. */
  readonly seconds: number
  /** Number of times that each thing is measured, in turn with the others; the median counts. */
  readonly rounds: number
  readonly many: number
  /** Creates an empty folder for a store. */
  readonly folder: () => string
}
