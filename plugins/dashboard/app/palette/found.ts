import { useCallback, useEffect, useState } from 'preact/hooks'
import { hasActions } from '../actions/record.ts'
import { type Refusal, send } from '../api.ts'
import { ago, timeOf } from '../figures.ts'
import { go, href, pathOf } from '../router.ts'
import { pages } from '../session.ts'
import { plain } from '../text.ts'
import type { Entry } from './entries.ts'

/** A hit of `GET /api/dashboard/search`. */
interface Hit {
  readonly kind: string
  readonly id: string
  readonly title: string
  readonly text?: string
  readonly at?: string
  readonly to: string
  readonly with: Readonly<Record<string, string>>
}

const TYPING_MS = 150
const MAX_FOUND = 20
const MIN_LETTERS = 2

interface Found {
  readonly hits: readonly Entry[]
  /** The refusal of the search for the latest text, if it failed. */
  readonly refusal?: Refusal | undefined
}

/** Data of all families that a text finds, once the typing pauses. Earlier hits stay until there are new ones. */
export function useFound(text: string): Found & { readonly busy: boolean; readonly again: () => void } {
  const [found, setFound] = useState<Found & { readonly of?: string }>({ of: '', hits: [] })
  const [times, setTimes] = useState(0)
  const wanted = text.trim()
  useEffect(() => {
    if (wanted.length < MIN_LETTERS) return setFound({ of: wanted, hits: [] })
    const stop = new AbortController()
    const timer = setTimeout(() => void ask(), TYPING_MS)
    const ask = async (): Promise<void> => {
      try {
        const answer = await send(
          { method: 'GET', url: `/api/dashboard/search?q=${encodeURIComponent(wanted.slice(0, 200))}` },
          stop.signal,
        )
        if (stop.signal.aborted) return
        if (answer.ok) setFound({ of: wanted, hits: entriesOf((answer.data as { hits: readonly Hit[] }).hits) })
        else setFound({ of: wanted, hits: [], refusal: answer.refusal })
      } catch {
        // Another text was typed.
      }
    }
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [wanted, times])
  const again = useCallback(() => {
    setFound({ hits: [] })
    setTimes((before) => before + 1)
  }, [])
  return { hits: found.hits, refusal: found.refusal, busy: found.of !== wanted, again }
}

/** Hits whose page the caller does not see are left out. */
function entriesOf(hits: readonly Hit[]): readonly Entry[] {
  return hits
    .flatMap((hit): readonly Entry[] => {
      const page = pages.peek().find(({ path }) => path === hit.to)
      if (!page) return []
      const { address, query } = filledIn(hit)
      const time = timeOf(hit.at)
      const path = pathOf(href(address, query))
      return [
        {
          id: `${hit.kind} ${hit.id}`,
          icon: page.icon,
          label: plain(hit.title),
          hint: [hit.kind, hit.text && plain(hit.text).slice(0, 60), time && ago(time, Date.now())].filter(Boolean).join(' · '),
          also: '',
          ...(hasActions(path) && { record: path }),
          run: () => go(href(address, query)),
        },
      ]
    })
    .slice(0, MAX_FOUND)
}

function filledIn({ to, with: given }: Hit): { readonly address: string; readonly query: Readonly<Record<string, string>> } {
  const rest = { ...given }
  const address = to.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest[name] ?? ''
    delete rest[name]
    return encodeURIComponent(value)
  })
  return { address, query: rest }
}
