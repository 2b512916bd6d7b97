const WIDTH = 96
const HEIGHT = 24

/** A small line of how a number came about; the number itself stands next to it. */
export function Spark({ values }: { values: unknown }) {
  if (!Array.isArray(values) || values.length < 2 || !values.every((value) => typeof value === 'number')) return null
  const numbers = values as readonly number[]
  const low = Math.min(...numbers)
  const span = Math.max(...numbers) - low
  if (span === 0) return null
  const points = numbers.map((value, index) => {
    const x = (index / (numbers.length - 1)) * WIDTH
    const y = HEIGHT - 2 - ((value - low) / span) * (HEIGHT - 4)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
      <polyline points={points.join(' ')} />
    </svg>
  )
}

const NEAR = 0.8

export function Used({ value, limit, shown }: { value: unknown; limit: unknown; shown?: string }) {
  if (typeof value !== 'number' || typeof limit !== 'number' || limit <= 0) return null
  const part = Math.min(1, Math.max(0, value / limit))
  const tone = part >= 1 ? 'bad' : part >= NEAR ? 'warn' : 'good'
  return (
    <>
      {shown !== undefined && <span class="beside">of {shown}</span>}
      <svg class={`used ${tone}`} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <rect class="whole" width="100" height="4" rx="2" />
        <rect width={(part * 100).toFixed(1)} height="4" rx="2" />
      </svg>
    </>
  )
}
