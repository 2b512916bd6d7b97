import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Refusal, send, type Wire, wireOf } from './api.ts'
import { argumentsOf, type Scope } from './arguments.ts'
import { isHidden } from './clock.ts'
import type { AskingPanel, FilterView, SourceView } from './contract.ts'
import { type AnswerPage, combined, isEndless, nextOf, withPage } from './endless.ts'
import { onChange } from './live.ts'
import { at } from './pointer.ts'
import { place } from './router.ts'
import { spaced } from './spaced.ts'

export interface Loaded {
  readonly phase: 'waiting' | 'loading' | 'shown' | 'refused'
  readonly answer?: unknown
  /** Refusal of the last request; next to an answer, that answer could not be reloaded. */
  readonly refusal?: Refusal
  /** The reader requested another answer than the one shown, and it is loading. */
  readonly turning: boolean
  readonly filtered: boolean
  readonly args: Readonly<Record<string, unknown>>
  readonly wire?: Wire
  readonly again: () => void
  readonly back?: () => void
  readonly forth?: () => void
  /** A list whose pages follow each other, and its end is not reached. */
  readonly more?: () => void
  /** The list says which of its rows are in view: a change reloads their pages alone. */
  readonly see: (rows: readonly unknown[]) => void
}

/** Returns a filter's value from the URL, else its initial value. */
export function filterValue(filter: FilterView, query: URLSearchParams): string | number | boolean | undefined {
  const text = query.get(filter.argument)
  if (text === null) return filter.initial
  if (text.trim() === '') return undefined
  if (filter.kind === 'toggle') return text === 'true'
  if (filter.kind === 'number') return Number.isFinite(Number(text)) ? Number(text) : undefined
  const option = filter.options?.find(({ value }) => String(value) === text)
  return option ? option.value : text
}

interface State {
  readonly of: string
  /** Several for a list whose pages follow each other, else one. */
  readonly pages: readonly AnswerPage[]
  readonly refusal?: Refusal
}

/** Number of pages in view that a change reloads. */
const MAX_AGAIN = 3

/** Requests a panel's answer, and again when its sources change. */
export function useAnswer(panel: AskingPanel, params: Scope['params']): Loaded {
  const { query } = place.value
  const source = panel.source as SourceView
  const filters = panel.filters
  const endless = isEndless(panel)
  const [cursors, setCursors] = useState<readonly string[]>([])
  const [state, setState] = useState<State>()
  const [asked, setAsked] = useState(0)
  const latest = useRef<State>(undefined)
  const viewed = useRef<readonly [from: number, to: number]>([0, 0])
  const asker = useRef<{ readonly read: (index: number) => void; readonly look: () => void }>(undefined)

  const chosen = Object.fromEntries(filters.map((filter) => [filter.argument, filterValue(filter, query)]))
  const missing = filters.some(({ argument, required }) => required && chosen[argument] === undefined)
  const filtered = filters.some(({ argument, initial }) => chosen[argument] !== initial && chosen[argument] !== undefined)
  const of = JSON.stringify([source.url, params, chosen, argumentsOf({ arguments: queried(source) }, { params, query })])
  const cursor = endless ? undefined : cursors.at(-1)

  const make = (page: string | undefined): Record<string, unknown> => {
    const given = Object.entries(chosen).filter(([, value]) => value !== undefined)
    return {
      ...argumentsOf(source, { params, query }),
      ...Object.fromEntries(given),
      ...(panel.paging && page !== undefined && { [panel.paging.cursor]: page }),
    }
  }
  const args = useMemo(() => make(cursor), [of, cursor])

  // Another list starts at its first page.
  useEffect(() => setCursors((before) => (before.length === 0 ? before : [])), [of])

  useEffect(() => {
    if (missing) return
    const stop = new AbortController()
    const due = new Set<number>()
    /** Pages that may have changed since they were read: each is read again when it is in view. */
    const stale = new Set<number>()
    const isSame = latest.current?.of === of
    if (!isSame) viewed.current = [0, 0]
    const age = (): void => {
      // The first page is also read after a refusal, which leaves no page.
      const count = latest.current?.of === of ? latest.current.pages.length : 0
      for (let index = 0; index < Math.max(1, count); index++) stale.add(index)
    }
    const isInView = (index: number): boolean => {
      const [from, to] = viewed.current
      return index >= from && index <= Math.min(to, from + MAX_AGAIN - 1)
    }
    const addStale = (): boolean => {
      const [from, to] = viewed.current
      for (let index = from; index <= to; index++) if (stale.has(index) && isInView(index)) due.add(index)
      return due.size > 0
    }

    const cursorOf = (index: number): string | undefined => {
      if (!endless || index === 0) return cursor
      return nextOf(panel, latest.current?.pages[index - 1]?.answer)
    }
    const take = (index: number, page: string | undefined, answer: unknown): void => {
      const kept = latest.current?.of === of && endless ? latest.current.pages : []
      const pages = withPage(kept, index, { cursor: page, answer }, nextOf(panel, answer) === undefined)
      stale.delete(index)
      setState((latest.current = { of, pages }))
    }
    const refuse = (refusal: Refusal): void => {
      // Content that needed the operator's rights disappears when they end.
      const keeps = latest.current?.of === of && !refusal.wantsLift
      setState((latest.current = { of, pages: keeps ? (latest.current as State).pages : [], refusal }))
    }
    const ask = async (changed: boolean): Promise<void> => {
      if (changed) age()
      addStale()
      try {
        for (const index of due) {
          // A page that was scrolled past waits until it is in view again.
          if (stale.has(index) && !isInView(index)) {
            due.delete(index)
            continue
          }
          const page = cursorOf(index)
          const answer = index > 0 && page === undefined ? undefined : await send(wireOf(source, make(page)), stop.signal)
          if (stop.signal.aborted) return
          // Deleted now, so that a page that is under way is not asked for again.
          due.delete(index)
          if (!answer) continue
          if (answer.ok) take(index, page, answer.data)
          else refuse(answer.refusal)
        }
      } catch {
        // The request was aborted, because the panel shows something else.
      }
    }
    const asking = spaced(ask, isHidden)
    const read = (index: number): void => {
      due.add(index)
      asking.now()
    }
    const look = (): void => {
      if (addStale()) asking.now()
    }
    asker.current = { read, look }
    if (isSame) age()
    read(0)
    document.addEventListener('visibilitychange', asking.resume)
    const unsubscribe = onChange(source.live, asking.soon)
    const every = source.everySeconds === undefined ? undefined : setInterval(asking.soon, source.everySeconds * 1000)
    return () => {
      stop.abort()
      asker.current = undefined
      asking.stop()
      clearInterval(every)
      unsubscribe()
      document.removeEventListener('visibilitychange', asking.resume)
    }
  }, [of, cursor, missing, asked])

  const pages = state?.pages ?? []
  const answer = useMemo(() => (endless ? combined(panel, pages) : pages[0]?.answer), [pages, panel])
  const pageOf = useMemo(() => {
    const found = new Map<unknown, number>()
    if (endless && pages.length > 1)
      for (const [index, page] of pages.entries()) for (const row of (at(page.answer, panel.rows) as unknown[]) ?? []) found.set(row, index)
    return found
  }, [pages, panel])
  const see = useCallback(
    (rows: readonly unknown[]): void => {
      const shown = rows.map((row) => pageOf.get(row) ?? 0)
      viewed.current = shown.length === 0 ? [0, 0] : [Math.min(...shown), Math.max(...shown)]
      asker.current?.look()
    },
    [pageOf],
  )
  const again = useCallback(() => setAsked((times) => times + 1), [])
  const shown = pages.length > 0
  const following = shown ? nextOf(panel, pages.at(-1)?.answer) : undefined
  return {
    phase: missing ? 'waiting' : shown ? 'shown' : state?.refusal && state.of === of ? 'refused' : 'loading',
    turning: shown && state?.of !== of,
    filtered: filtered || missing,
    args,
    wire: wireOf(source, args),
    again,
    see,
    ...(shown && { answer }),
    ...(state?.refusal && { refusal: state.refusal }),
    ...(!endless && cursors.length > 0 && { back: () => setCursors(cursors.slice(0, -1)) }),
    ...(!endless && following !== undefined && { forth: () => setCursors([...cursors, following]) }),
    ...(endless && following !== undefined && state?.of === of && { more: () => asker.current?.read(pages.length) }),
  }
}

function queried({ arguments: all }: SourceView): SourceView['arguments'] {
  return Object.fromEntries(Object.entries(all).filter(([, { from }]) => from !== 'ago'))
}
