import { signal } from '@preact/signals'
import { callerHeader, refusalIn } from './api.ts'
import { say, type Toast } from './toasts.ts'

/** Tells if changes are streamed live, polled every ten seconds, or not received. */
export const connection = signal<'live' | 'asking' | 'off'>('off')

interface Listener {
  readonly collections: readonly string[]
  readonly tell: () => void
}
const listeners = new Set<Listener>()

/** Subscribes to changes, certain or possible, of these collections. Returns the unsubscribe function. */
export function onChange(collections: readonly string[], tell: () => void): () => void {
  const listener = { collections, tell }
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function onAnyChange(tell: () => void): () => void {
  anyListeners.add(tell)
  return () => anyListeners.delete(tell)
}
const anyListeners = new Set<() => void>()

const ASK_MS = 10_000
const AGAIN_MS = 60_000
const MAX_WAIT_MS = 30_000
/**
 * The stream sends something every 15 seconds. After three times as long without data it counts as dead, even if the network
 * reports it open.
 */
const SILENT_MS = 45_000

export function notifyAll(): void {
  for (const { tell } of Array.from(listeners)) tell()
}

let stop: AbortController | undefined

/** Subscribes to changes while the page is open. A second call reconnects, for example after a change of the key. */
export async function listen(url: string): Promise<void> {
  stop?.abort()
  const { signal: ended } = (stop = new AbortController())
  let tries = 0
  let heardBefore = false
  while (!ended.aborted) {
    const wait = await stream(url, ended, () => {
      tries = 0
      // Changes during the interruption were missed.
      if (heardBefore) notifyAll()
      heardBefore = true
    })
    if (ended.aborted) return
    connection.value = wait === 'later' ? 'asking' : 'off'
    await pause(wait === 'later' ? AGAIN_MS : Math.min(MAX_WAIT_MS, 500 * 2 ** tries++), ended)
  }
}

setInterval(() => connection.value === 'asking' && notifyAll(), ASK_MS)

function pause(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    ended.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Uses fetch, which can send credentials. `later`: the gateway has no capacity for another stream, or has no stream at all. */
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
    const response = await fetch(url, {
      headers: { accept: 'text/event-stream', ...callerHeader() },
      signal: silent.signal,
      cache: 'no-store',
    })
    // The stream may notice before any panel that the session of this browser has ended.
    if (!response.ok) refusalIn(response, await response.text())
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
    // The stream ended, for any reason, and is opened again.
  } finally {
    clearTimeout(timer)
    silent.abort()
  }
  return 'soon'
}

function take(event: string): void {
  const name = /^event: ?(.*)$/m.exec(event)?.[1]
  const data = [...event.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join('\n')
  if (name === 'lost') notifyAll()
  else if (name === 'changed') {
    const changed = new Set((JSON.parse(data) as { collections: string[] }).collections)
    for (const { collections, tell } of Array.from(listeners)) if (collections.some((one) => changed.has(one))) tell()
    for (const tell of Array.from(anyListeners)) tell()
  } else if (name === 'news') news(JSON.parse(data) as News)
}

interface News {
  readonly title: string
  readonly text?: string
  readonly tone?: Toast['tone']
  /** Path of a page, with its parameters filled in. */
  readonly path?: string
}

function news({ title, text, tone = 'info', path }: News): void {
  // News disappears after a while: only a failure in this browser stays until it is closed.
  say({ tone, title, passing: true, ...(text !== undefined && { text: text.slice(0, 300) }), ...(path?.startsWith('/') && { path }) })
}
