/** Label values are cut to this length, because callers may choose them. */
const MAX_VALUE = 128
/** Labels of the series that collects overflow; the name is OpenTelemetry's. */
const OVERFLOW = { 'otel.metric.overflow': 'true' } as const

/**
 * Numbers the combinations of label values in order of appearance. Finding one again is a single map look-up. Beyond the
 * capacity all new combinations share the overflow series.
 */
export class SeriesTable {
  readonly #max: number
  readonly #names: readonly string[]
  readonly #shown: readonly boolean[]
  readonly #byKey = new Map<string, number>()
  readonly #labels: Readonly<Record<string, string>>[] = []
  #overflow: number | undefined

  constructor(names: readonly string[], { max, leaveOut }: { readonly max: number; readonly leaveOut: ReadonlySet<string> }) {
    this.#names = names
    this.#shown = names.map((name) => !leaveOut.has(name))
    this.#max = max
  }

  get size(): number {
    return this.#labels.length
  }

  labels(series: number): Readonly<Record<string, string>> {
    return this.#labels[series] as Readonly<Record<string, string>>
  }

  of(values: readonly string[]): number {
    const key = this.#key(values)
    return this.#byKey.get(key) ?? this.#add(key, values)
  }

  clear(): void {
    this.#byKey.clear()
    this.#labels.length = 0
    this.#overflow = undefined
  }

  #key(values: readonly string[]): string {
    let key = ''
    for (let at = 0; at < this.#shown.length; at++) if (this.#shown[at]) key += `${values[at]}\n`
    return key
  }

  #add(key: string, values: readonly string[]): number {
    if (this.#byKey.size >= this.#max) {
      this.#overflow ??= this.#labels.push(OVERFLOW) - 1
      return this.#overflow
    }
    const shown = this.#names.flatMap((name, at) => (this.#shown[at] ? [[name, String(values[at]).slice(0, MAX_VALUE)] as const] : []))
    const series = this.#labels.push(Object.fromEntries(shown)) - 1
    this.#byKey.set(key, series)
    return series
  }
}
