import { atomically, closed, defineEvent, definePlugin, defineTool, Type } from '@gateway/sdk'
import { type CallOptions, startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import events from '../src/index.ts'

export type { TestGateway }

const rang = defineEvent('bell.rang', Type.Object({ text: Type.String() }, closed), { public: 'The bell was rung.' })
const tolled = defineEvent('bell.tolled', Type.Object({ text: Type.String() }, closed), { public: 'The bell was tolled.' })

/** Stands for any family with public events. */
const bell = definePlugin({
  id: 'bell',
  sdk: '^1.0.0',
  description: 'Rings.',
  events: [rang, tolled],
  tools: [
    defineTool({
      name: 'bell_ring',
      description: 'Ring the bell. Returns nothing.',
      capability: 'work',
      effect: 'write',
      input: Type.Object(
        { texts: Type.Array(Type.String()), toll: Type.Optional(Type.Boolean()), breaks: Type.Optional(Type.Boolean()) },
        closed,
      ),
      output: Type.Object({}),
      uses: { rang, tolled, atomically },
      async handle({ texts, toll, breaks }, { rang, tolled, atomically }) {
        await atomically(async (tx) => {
          for (const text of texts) await (toll ? tolled : rang).emit({ text }, tx)
          if (breaks) throw new Error('the rope broke')
        })
        return {}
      },
    }),
  ],
})

export const start = (config: object = {}, options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> =>
  startTestGateway({ plugins: [events, bell], config: { events: { ...config } }, ...options })

export const ring = (gateway: TestGateway, texts: readonly string[], more: object = {}, options?: CallOptions) =>
  gateway.call('bell_ring', { texts, ...more }, options)

export const read = (gateway: TestGateway, query: object = {}, options?: CallOptions) => gateway.call('events.list', query, options)

export const texts = (page: { events: readonly { data: { text: string } }[] }) => page.events.map(({ data }) => data.text)
