import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { type Refusal, send, type Wire, wireOf } from './api.ts'
import { argumentsOf, type Scope } from './arguments.ts'
import type { AskingPanel, FilterView, SourceView } from './contract.ts'
import { onChange } from './live.ts'
import { at } from './pointer.ts'
import { place } from './router.ts'

/** The content of a panel, and its navigation. */
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
}

/** Returns a filter's value from the URL, else its initial value. */
export function filterValue(filter: FilterView, query: URLSearchParams): string | number | boolean | undefined {
  const text = query.get(filter.argument)
  if (text === null) return filter.initial
  if (text === '') return undefined
  if (filter.kind === 'toggle') return text === 'true'
  if (filter.kind === 'number') return Number.isFinite(Number(text)) ? Number(text) : undefined
  const option = filter.options?.find(({ value }) => String(value) === text)
  return option ? option.value : text
}

/** Minimum time between a panel's answer and its next request: a panel whose own request changes its source would loop. */
const REST_MS = 1_000

interface State {
  readonly of: string
  readonly answer?: unknown
  readonly refusal?: Refusal
}

/** Requests a panel's answer, and again when its sources change. */
export function useAnswer(panel: AskingPanel, params: Scope['params']): Loaded {
  const { query } = place.value
  const source = panel.source as SourceView
  const filters = panel.filters ?? []
  const [cursors, setCursors] = useState<readonly string[]>([])
  const [state, setState] = useState<State>()
  const [asked, setAsked] = useState(0)

  const chosen = Object.fromEntries(filters.map((filter) => [filter.argument, filterValue(filter, query)]))
  const missing = filters.some(({ argument, required }) => required && chosen[argument] === undefined)
  const filtered = filters.some(({ argument, initial }) => chosen[argument] !== initial && chosen[argument] !== undefined)
  const of = JSON.stringify([source.url, params, chosen, argumentsOf({ arguments: queried(source) }, { params, query })])
  const cursor = cursors.at(-1)

  const make = (): Record<string, unknown> => {
    const given = Object.entries(chosen).filter(([, value]) => value !== undefined)
    return {
      ...argumentsOf(source, { params, query }),
      ...Object.fromEntries(given),
      ...(panel.paging && cursor !== undefined && { [panel.paging.cursor]: cursor }),
    }
  }
  const args = useMemo(make, [of, cursor])

  // Another list starts at its first page.
  useEffect(() => setCursors((before) => (before.length === 0 ? before : [])), [of])

  useEffect(() => {
    if (missing) return
    const stop = new AbortController()
    let running = false
    let stale = false
    let answered = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (): Promise<void> => {
      running = true
      stale = false
      try {
        const answer = await send(wireOf(source, make()), stop.signal)
        if (stop.signal.aborted) return
        setState((before) => {
          if (answer.ok) return { of, answer: answer.data }
          // Content that needed the operator's rights disappears when they end.
          const keeps = before?.of === of && !answer.refusal.wantsLift
          return { of, refusal: answer.refusal, ...(keeps && { answer: before.answer }) }
        })
      } catch {
        return
      } finally {
        running = false
        answered = Date.now()
      }
      if (stale) later()
    }
    const later = (): void => {
      stale = true
      if (running || document.hidden) return
      clearTimeout(timer)
      timer = setTimeout(() => void ask(), Math.max(0, REST_MS - (Date.now() - answered)))
    }
    const looked = (): void => void (stale && later())
    void ask()
    document.addEventListener('visibilitychange', looked)
    const deaf = onChange(source.live, later)
    const every = source.everySeconds === undefined ? undefined : setInterval(later, source.everySeconds * 1000)
    return () => {
      stop.abort()
      clearTimeout(timer)
      clearInterval(every)
      deaf()
      document.removeEventListener('visibilitychange', looked)
    }
  }, [of, cursor, missing, asked])

  const following = panel.paging && state ? at(state.answer, panel.paging.next) : undefined
  const again = useCallback(() => setAsked((times) => times + 1), [])
  const shown = state?.answer !== undefined
  return {
    phase: missing ? 'waiting' : shown ? 'shown' : state?.refusal && state.of === of ? 'refused' : 'loading',
    turning: shown && state?.of !== of,
    filtered: filtered || missing,
    args,
    wire: wireOf(source, args),
    again,
    ...(shown && { answer: state.answer }),
    ...(state?.refusal && { refusal: state.refusal }),
    ...(cursors.length > 0 && { back: () => setCursors(cursors.slice(0, -1)) }),
    ...(typeof following === 'string' && following !== '' && { forth: () => setCursors([...cursors, following]) }),
  }
}

function queried({ arguments: all }: SourceView): SourceView['arguments'] {
  return Object.fromEntries(Object.entries(all).filter(([, { from }]) => from !== 'ago'))
}
