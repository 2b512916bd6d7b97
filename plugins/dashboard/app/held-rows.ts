import { useEffect, useRef, useState } from 'preact/hooks'
import type { Row } from './pointer.ts'

export interface HeldRow extends Row {
  /** The row is removed, and keeps its place until the pointer has left. */
  readonly gone?: boolean
  /** The value differs from the one shown before. */
  readonly changed?: boolean
}

/**
 * Holds rows still: while the pointer is among them, each keeps its place and takes its new values there; added and removed
 * rows wait until the pointer has left. Spread `hold` on the element around them.
 */
export function useHeldRows(rows: readonly Row[], of: string) {
  const [held, setHeld] = useState(false)
  const shown = useRef<readonly Row[]>(rows)
  const before = useRef(of)
  const settled = !held || before.current !== of
  const current: readonly HeldRow[] = settled ? marked(rows, shown.current, before.current === of) : kept(shown.current, rows)
  const known = new Set(shown.current.map(({ key }) => key))
  const waiting = settled ? 0 : rows.filter(({ key }) => !known.has(key)).length
  useEffect(() => {
    if (!settled) return
    shown.current = rows
    before.current = of
  })
  const hold = {
    onPointerEnter: (event: PointerEvent) => event.pointerType === 'mouse' && setHeld(true),
    onPointerLeave: () => setHeld(false),
  }
  return { rows: current, waiting, hold, settle: () => setHeld(false) }
}

function kept(shown: readonly Row[], rows: readonly Row[]): HeldRow[] {
  const now = new Map(rows.map((row) => [row.key, row]))
  return shown.map((row) => now.get(row.key) ?? { ...row, gone: true })
}

function marked(rows: readonly Row[], shown: readonly Row[], same: boolean): readonly HeldRow[] {
  if (!same || shown === rows || shown.length === 0) return rows
  const was = new Map(shown.map(({ key, value }) => [key, value]))
  return rows.map((row) => {
    const before = was.get(row.key)
    const isSame = before === row.value || JSON.stringify(before) === JSON.stringify(row.value)
    return isSame ? row : { ...row, changed: true }
  })
}
