import type { TestGateway } from '@gateway/testing'

export interface Heard {
  readonly id?: string
  readonly retry?: number
  readonly comment?: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly data?: any
}

export interface Events {
  readonly status: number
  readonly headers: Headers
  /** Undefined at the end of the stream. */
  next(): Promise<Heard | undefined>
  rest(): Promise<Heard[]>
  /** Closes the connection. */
  cut(): void
}

export async function events(
  gateway: TestGateway,
  { body, path = '/mcp', headers = {} }: { body?: object; path?: string; headers?: Record<string, string> },
): Promise<Events> {
  const away = new AbortController()
  const response = await fetch(gateway.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    signal: away.signal,
    headers: {
      accept: body === undefined ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<Heard | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const event = parse(text.slice(0, end))
        text = text.slice(end + 2)
        return event
      }
      const chunk = await chunks?.read()
      if (chunk === undefined || chunk.done) return undefined
      text += chunk.value
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    next,
    async rest() {
      const all: Heard[] = []
      for (let event = await next(); event !== undefined; event = await next()) all.push(event)
      return all
    },
    cut: () => away.abort(),
  }
}

function parse(block: string): Heard {
  const heard: { id?: string; retry?: number; comment?: string; data?: unknown } = {}
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^([a-z]*): ?(.*)$/.exec(line) ?? []
    if (field === 'id') heard.id = value
    else if (field === 'retry') heard.retry = Number(value)
    else if (field === '') heard.comment = value
    else if (field === 'data') heard.data = value === '' ? '' : JSON.parse(value)
  }
  return heard
}
