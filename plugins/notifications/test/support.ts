import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import outgoing from '@gateway/plugin-outgoing'
import { alertRaised, closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import plugin from '../src/index.ts'

export type { TestGateway }

/** Plays any family that raises alerts. */
const alarm = definePlugin({
  id: 'alarm',
  sdk: '^1.0.0',
  description: 'Raises the alerts of these tests.',
  tools: [
    defineTool({
      name: 'alarm_raise',
      description: 'Raise alerts. Returns nothing.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ message: Type.String(), times: Type.Optional(Type.Integer()) }, closed),
      output: Type.Object({}),
      uses: { alerts: alertRaised },
      async handle({ message, times = 1 }, { alerts }) {
        for (let i = 0; i < times; i++) alerts.emit({ level: 'critical', source: 'alarm', title: 'Fire', message })
        return {}
      },
    }),
  ],
})

export const start = (channels: object = {}, config: object = {}, options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> =>
  startTestGateway({
    config: { notifications: { channels, ...config } },
    ...options,
    plugins: [outgoing, plugin, alarm, ...(options.plugins ?? [])],
  })

/** Target of channels in these tests: a server on the loopback that records what it receives. */
export async function receiver(answer: RequestListener = (_request, response) => void response.end('{"ok":true}')) {
  const received: { url: string | undefined; body: Record<string, unknown> }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      received.push({ url: request.url, body: JSON.parse(text) as Record<string, unknown> })
      answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    received,
    chat: (more: object = {}) => ({ kind: 'chat_channel', baseUrl: url, token: '42:abc', chatId: 'ops', ...more }),
    webhook: (more: object = {}) => ({ kind: 'webhook', url: `${url}/hook`, ...more }),
    /** Closes its unanswered connections. */
    cut: () => server.closeAllConnections(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Entry {
  readonly kind: string
  readonly message: string
  readonly results: readonly { channel: string; status: string; error?: string }[]
  readonly nextTryAt?: string
}

/** The history, once it has this many entries and none is being sent. */
export async function historyOf(
  gateway: TestGateway,
  count: number,
  settled = (entry: Entry) => entry.results.length > 0,
): Promise<Entry[]> {
  for (;;) {
    const { notifications } = await gateway.call('notifications_history', { limit: 500 })
    if (notifications.length >= count && notifications.every(settled)) return notifications
    await new Promise(setImmediate)
  }
}
