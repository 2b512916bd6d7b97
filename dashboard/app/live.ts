import { signal } from '@preact/signals'
import { headers } from './api.ts'
import { say, type Toast } from './toasts.ts'

/** Whether changes are told as they happen, asked for every ten seconds, or not heard of. */
export const connection = signal<'live' | 'asking' | 'off'>('off')

interface Listener {
  readonly collections: readonly string[]
  readonly tell: () => void
}
const listeners = new Set<Listener>()

/** Be told when one of these collections changed, or may have. Returns how to stop. */
export function onChange(collections: readonly string[], tell: () => void): () => void {
  const listener = { collections, tell }
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const ASK_MS = 10_000
const AGAIN_MS = 60_000
const MOST_WAIT_MS = 30_000

/** Whatever is shown may be another by now. */
export function tellAll(): void {
  for (const { tell } of Array.from(listeners)) tell()
}

let stop: AbortController | undefined

/** Listen to what changes, for as long as the page is open. A second call starts anew, as after a change of the key. */
export async function listen(url: string): Promise<void> {
  stop?.abort()
  const { signal: ended } = (stop = new AbortController())
  let tries = 0
  let heardBefore = false
  while (!ended.aborted) {
    const wait = await stream(url, ended, () => {
      tries = 0
      // What happened meanwhile went by unheard.
      if (heardBefore) tellAll()
      heardBefore = true
    })
    if (ended.aborted) return
    connection.value = wait === 'later' ? 'asking' : 'off'
    await pause(wait === 'later' ? AGAIN_MS : Math.min(MOST_WAIT_MS, 500 * 2 ** tries++), ended)
  }
}

setInterval(() => connection.value === 'asking' && tellAll(), ASK_MS)

function pause(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    ended.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Read with fetch, which can say who asks; `later`: the gateway has no place for another stream, or has none at all. */
async function stream(url: string, ended: AbortSignal, begun: () => void): Promise<'later' | 'soon'> {
  try {
    const response = await fetch(url, { headers: { ...headers(), accept: 'text/event-stream' }, signal: ended, cache: 'no-store' })
    if (!response.ok || !response.body) return 'later'
    connection.value = 'live'
    begun()
    let rest = ''
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const events = (rest + read.value).split(/\r?\n\r?\n/)
      rest = events.pop() ?? ''
      for (const event of events) take(event)
    }
  } catch {
    // It ended, however: it is begun again.
  }
  return 'soon'
}

function take(event: string): void {
  const name = /^event: ?(.*)$/m.exec(event)?.[1]
  const data = [...event.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join('\n')
  if (name === 'lost') tellAll()
  else if (name === 'changed') {
    const changed = new Set((JSON.parse(data) as { collections: string[] }).collections)
    for (const { collections, tell } of Array.from(listeners)) if (collections.some((one) => changed.has(one))) tell()
  } else if (name === 'news') news(JSON.parse(data) as News)
}

interface News {
  readonly title: string
  readonly text?: string
  readonly tone?: Toast['tone']
  /** A page, with its parameters filled in. */
  readonly path?: string
}

function news({ title, text, tone = 'info', path }: News): void {
  // Passing news: only what failed here stays until it is closed.
  say({ tone, title, passing: true, ...(text !== undefined && { text: text.slice(0, 300) }), ...(path?.startsWith('/') && { path }) })
}
