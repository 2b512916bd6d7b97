import { createHash } from 'node:crypto'
import { DIMENSIONS, embeddings } from '@gateway/plugin-embeddings/api'
import { closed, contribute, definePlugin, defineTool, type Plugin, provideProcess, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import { type MemoryDocument, memoryContributor, memory as memoryService, recallIndex } from '../src/api.ts'
import memory from '../src/index.ts'

export function start(options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
  return startTestGateway({ ...options, plugins: [memory, ...(options.plugins ?? [])] })
}

export async function storeAll(gateway: TestGateway, chunks: readonly object[]): Promise<string[]> {
  const ids: string[] = []
  for (const chunk of chunks) ids.push((await gateway.call('memory_store', chunk)).chunkId)
  return ids
}

export async function contents(gateway: TestGateway, args: object, tool = 'memory_search'): Promise<string[]> {
  const { results, blocks } = await gateway.call(tool, args)
  return (results ?? blocks).map((hit: { content: string }) => hit.content)
}

/** Files that a test writes and removes, and a family that passes them to the memory. */
export class Files {
  readonly master = new Map<string, MemoryDocument>()
  readonly others = new Map<string, MemoryDocument>()
  unreadable: string | undefined

  readonly plugin: Plugin = definePlugin({
    id: 'files',
    sdk: '^1.0.0',
    description: 'Documents of a test, for the memory to keep in step with.',
    contributes: [
      contribute(memoryContributor, {
        create: () => ({
          name: 'files',
          origins: async (scope) =>
            [...this.master, ...(scope === 'all' ? this.others : [])].map(([origin, document]) => ({
              origin,
              repo: document.repo,
              read: async () => {
                if (origin === this.unreadable) throw new Error('EACCES')
                return [document]
              },
            })),
        }),
      }),
    ],
  })
}

/** A family that names more origins than it lists, and that is told when one of them is read. */
export class Unlisted {
  readonly documents = new Map<string, readonly MemoryDocument[]>()
  onRead: (origin: string) => Promise<unknown> = async () => {}

  readonly plugin: Plugin = definePlugin({
    id: 'unlisted',
    sdk: '^1.0.0',
    description: 'Documents of a test that are found by their name alone.',
    contributes: [
      contribute(memoryContributor, {
        create: () => {
          const one = (origin: string) => ({
            origin,
            read: async () => {
              const found = this.documents.get(origin) ?? []
              await this.onRead(origin)
              return found
            },
          })
          return { name: 'unlisted', origins: async () => [one('listed')], origin: async (name) => one(name) }
        },
      }),
    ],
  })
}

export const asker: Plugin = definePlugin({
  id: 'asker',
  sdk: '^1.0.0',
  description: 'Calls the services of the memory by name, for a test.',
  tools: [
    defineTool({
      name: 'ask',
      description: 'Calls a method of a service of the memory, for a test.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ corpus: Type.Optional(Type.String()), method: Type.String(), args: Type.Array(Type.Unknown()) }, closed),
      output: Type.Object({ answer: Type.Unknown() }, closed),
      uses: { memory: memoryService, index: recallIndex },
      async handle({ corpus, method, args }, { memory, index }) {
        const service = (corpus === undefined ? memory : index.corpus(corpus)) as unknown as Record<string, (...args: unknown[]) => unknown>
        const answer = await service[method]?.(...args)
        return { answer: answer instanceof Set ? [...answer] : (answer ?? {}) }
      },
    }),
  ],
})

/** Calls a method of a service of the memory; the gateway has to have the plugin `asker`. */
// biome-ignore lint/suspicious/noExplicitAny: the test knows what it asked for
export const asked = async (gateway: TestGateway, call: object): Promise<any> => (await gateway.call('ask', call)).answer

/** Vectors that differ from model to model: each word of a text has a place that the model assigns. */
export const modelNamed = (model: string): Plugin =>
  definePlugin({
    id: 'embeddings',
    sdk: '^1.0.0',
    description: 'Vectors for a test.',
    provides: [
      provideProcess(embeddings, {
        create: () => ({
          status: () => ({ state: 'ready', model, dimensions: DIMENSIONS, running: true }),
          async embed(texts) {
            return texts.map((text) => {
              const vector = new Float32Array(DIMENSIONS)
              for (const word of text.toLowerCase().match(/[a-z]+/g) ?? [])
                vector[createHash('sha256').update(`${model} ${word}`).digest().readUInt16BE() % DIMENSIONS] = 1
              return vector
            })
          },
          forgetQueries() {},
        }),
      }),
    ],
  })
