import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { InjectResponse, TestGateway } from '@gateway/testing'

const MODELS = { budget: 'small', standard: 'middle', premium: 'large', ultra: 'huge' }

/** A server on the loopback that is both the model and the chat: it records what it is asked and told, and calls `onRequest` before it answers. */
export async function outside(answer: string, onRequest?: () => Promise<void>) {
  const told: { url: string; body: Record<string, unknown> }[] = []
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    told.push({ url: request.url ?? '', body: (await json(request)) as Record<string, unknown> })
    await onRequest?.()
    const usage = { prompt_tokens: 1_000, completion_tokens: 100 }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ok: true, choices: [{ message: { content: answer }, finish_reason: 'stop' }], usage }))
  }
  const server = createServer((request, response) => void reply(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const price = { inputPerMTok: 10, outputPerMTok: 10 }
  return {
    /** Texts that the chat was sent, oldest first. */
    chats: () => told.filter((one) => one.url.endsWith('/sendMessage')).map(({ body }) => String(body.text)),
    config: {
      providers: {
        providers: {
          local: {
            wire: 'openai',
            baseUrl: `${url}/model`,
            models: MODELS,
            prices: Object.fromEntries(Object.values(MODELS).map((name) => [name, price])),
          },
        },
      },
      notifications: { channels: { ops: { kind: 'chat_channel', baseUrl: url, token: '42:abc', chatId: '7' } } },
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
export const read = async (gateway: TestGateway, url: string): Promise<any> => (await send(gateway, 'GET', url)).json()

export async function send(gateway: TestGateway, method: string, url: string, body?: object): Promise<InjectResponse> {
  const answer = await gateway.inject({ method, url, ...(body && { body }) })
  assert.ok(answer.status < 300, `${method} ${url}: ${answer.status} ${answer.body}`)
  return answer
}

interface Field {
  readonly label: string
  readonly value: string
}

/** Reads a panel of a page as a browser does, and returns its rows, or its one record, as labels with values. */
export async function shown(
  gateway: TestGateway,
  path: string,
  panelId: string,
  params: Readonly<Record<string, string>> = {},
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { pages } = await read(gateway, '/api/dashboard/pages')
  const page = pages.find((one: { path: string }) => one.path === path)
  const panel = page?.panels.find((one: { id: string }) => one.id === panelId)
  assert.ok(panel, `${path} has no panel ${panelId}`)
  const { method, url, arguments: wanted } = panel.source
  const args = Object.fromEntries(
    Object.entries(wanted as Record<string, { from?: string; name?: string }>).map(([name, value]) => [
      name,
      value?.from === 'param' ? params[value.name as string] : value,
    ]),
  )
  const filled = url.replace(/:(\w+)/g, (_: string, name: string) => encodeURIComponent(String(args[name])))
  const answer = (await send(gateway, method, filled, method === 'GET' ? undefined : args)).json()
  const rows = [at(answer, panel.rows ?? panel.record ?? '')].flat()
  const fields = (panel.columns ?? panel.fields ?? panel.items) as readonly Field[]
  const head = panel.head as Field | undefined
  return rows.map((row) => ({
    ...(head && { head: at(row, head.value) }),
    ...Object.fromEntries(fields.map(({ label, value }) => [label, at(row, value)])),
  }))
}

const at = (record: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], record)

/** Public events since the start, by name. */
export async function events(gateway: TestGateway, family: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { events } = await read(gateway, '/api/events?limit=500')
  return events.filter(({ event }: { event: string }) => event.startsWith(family))
}

/** Subjects of the audit records of a tool, with the names of its callers. */
export async function audited(gateway: TestGateway, tool: string): Promise<readonly (readonly [string, unknown])[]> {
  const records = (await gateway.audit()).filter((record) => record.tool === tool)
  return records.map(({ principal, subject }) => {
    const { label, id } = principal as { label?: string; id: string }
    return [label ?? id, subject] as const
  })
}

/** Reads the attention queue, and returns the titles of its alerts, oldest first. */
export async function alerts(gateway: TestGateway): Promise<readonly string[]> {
  await gateway.runJob('notifications.attention')
  const { notifications } = await gateway.call('notifications_history', { limit: 500 })
  return notifications.flatMap(({ kind, title }: Record<string, string>) => (kind === 'alert' ? [title] : [])).reverse()
}
