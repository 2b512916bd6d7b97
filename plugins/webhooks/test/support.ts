import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import outgoing from '@gateway/plugin-outgoing'
import { atomically, closed, defineEvent, definePlugin, defineTool, Type } from '@gateway/sdk'
import { type CallOptions, startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import webhooks from '../src/index.ts'

export type { TestGateway }

const rang = defineEvent('bell.rang', Type.Object({ text: Type.String() }, closed), {
  public: 'The bell was rung.',
})
const quiet = defineEvent('bell.dusted', Type.Object({}))

/** Stands for any family that has something to tell. */
export const bell = definePlugin({
  id: 'bell',
  sdk: '^1.0.0',
  description: 'Rings.',
  events: [rang, quiet],
  tools: [
    defineTool({
      name: 'bell_ring',
      description: 'Ring the bell. Returns nothing.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ texts: Type.Array(Type.String()), breaks: Type.Optional(Type.Boolean()) }, closed),
      output: Type.Object({}),
      uses: { rang, atomically },
      async handle({ texts, breaks }, { rang, atomically }) {
        await atomically(async (tx) => {
          for (const text of texts) await rang.emit({ text }, tx)
          if (breaks) throw new Error('the rope broke')
        })
        return {}
      },
    }),
  ],
})

export const start = (config: object = {}, options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> =>
  startTestGateway({ plugins: [outgoing, webhooks, bell], config: { webhooks: { ...config } }, ...options })

/** The operator in another tenant than its own: who may name a receiver on this machine. */
export const operatorOf = (tenantId: string) => ({ kind: 'operator', role: 'operator', id: 'operator', tenantId }) as const

export const SECRET = 'a secret of this test'
export async function subscribe(gateway: TestGateway, url: string, more: object = {}, options?: CallOptions): Promise<string> {
  const { webhook } = await gateway.call('webhooks.create', { url, events: ['bell.rang'], secret: SECRET, ...more }, options)
  return webhook.webhookId
}
export const ring = (gateway: TestGateway, texts: readonly string[], options?: CallOptions) => gateway.call('bell_ring', { texts }, options)
export const run = (gateway: TestGateway) => gateway.runJob('webhooks.deliver')

export async function deliveriesOf(gateway: TestGateway, webhookId: string, options?: CallOptions) {
  const { deliveries } = await gateway.call('webhooks.deliveries', { webhookId, limit: 200 }, options)
  return deliveries as readonly {
    deliveryId: string
    state: string
    attempts: number
    replays: number
    lastAttempts: readonly { status?: number; error?: string }[]
  }[]
}

export interface IncomingWebhook {
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly text: string
}

const ok: RequestListener = (_request, response) => void response.writeHead(204).end()
export const status =
  (code: number, body = '', headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(code, headers).end(body)

/** A receiver on the loopback, that remembers what it was sent. How it answers may be changed. */
export async function receiver(first: RequestListener = ok) {
  const received: IncomingWebhook[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      received.push({ headers: request.headers, body, text: JSON.parse(body).data?.text })
      it.answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const it = {
    answer: first,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    texts: () => received.map(({ text }) => text),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return it
}

export const well = ok

export const signed = (body: string | Buffer, secret = SECRET) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
