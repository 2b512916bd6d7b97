import { signal } from '@preact/signals'
import { locked } from './api.ts'
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
/** The stream says something every 15 seconds. One that is silent for three times as long is dead, whatever the network thinks. */
const SILENT_MS = 45_000

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
  const silent = new AbortController()
  ended.addEventListener('abort', () => silent.abort(), { signal: silent.signal })
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => silent.abort(), SILENT_MS)
  }
  try {
    heard()
    const response = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: silent.signal, cache: 'no-store' })
    // The session of this browser has ended: what no panel has asked meanwhile, the stream has.
    if (response.status === 401) locked.value = true
    if (!response.ok || !response.body) return 'later'
    connection.value = 'live'
    begun()
    let rest = ''
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      heard()
      const events = (rest + read.value).split(/\r?\n\r?\n/)
      rest = events.pop() ?? ''
      for (const event of events) take(event)
    }
  } catch {
    // It ended, however: it is begun again.
  } finally {
    clearTimeout(timer)
    silent.abort()
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
