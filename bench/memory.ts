import { embeddings } from '@gateway/plugin-embeddings/api'
import memory from '@gateway/plugin-memory'
import { memory as memoryService } from '@gateway/plugin-memory/api'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { closed, definePlugin, defineTool, type Plugin, provideProcess, Type } from '@gateway/sdk'
import { startTestGateway, type TestClock, type TestGateway } from '@gateway/testing'
import { Texts } from './memory-texts.ts'

export interface MemoryFigures {
  readonly what: string
  readonly p50: number
  readonly p95: number
}

const QUERIES = 300
const CHUNK_WORDS = 25
const BATCH = 500

/** Measures searches, of much data in one tenant and of little in many, and the speed of storing chunks, inside one process. */
export async function measureMemory(
  chunks: number,
  tenants: number,
): Promise<{ searches: readonly MemoryFigures[]; stores: readonly string[] }> {
  const searches: MemoryFigures[] = []
  for (const plugins of [[memory], [instantVectors, memory]]) {
    const by = plugins.length === 1 ? 'words' : 'words and vectors'
    await using gateway = await startTestGateway({ plugins: [...plugins, filler] })
    const asked = await fill(gateway, 'one', chunks)
    if (plugins.length > 1) await gateway.runJob('memory.embed')
    searches.push({
      what: `${chunks} chunks of one tenant, by ${by}`,
      ...(await searched(
        gateway,
        asked.map((query) => ({ query, tenantId: 'one' })),
      )),
    })
    await quiet(gateway, 'one', asked)
  }
  for (const count of [1, tenants]) {
    await using gateway = await startTestGateway({ plugins: [memory, filler] })
    const asked: { query: string; tenantId: string }[] = []
    for (let i = 0; i < count; i++)
      asked.push(...(await fill(gateway, `t${i}`, 100)).slice(0, Math.ceil(QUERIES / count)).map((query) => ({ query, tenantId: `t${i}` })))
    searches.push({ what: `${count} tenants of 100 chunks, by words`, ...(await searched(gateway, asked.slice(0, QUERIES))) })
  }
  return { searches, stores: await storeRates() }
}

export async function fill(gateway: TestGateway, tenantId: string, chunks: number, texts = new Texts(7)): Promise<string[]> {
  const asked: string[] = []
  for (let from = 0; from < chunks; from += BATCH) {
    const contents = Array.from({ length: Math.min(BATCH, chunks - from) }, () => texts.text(CHUNK_WORDS))
    if (asked.length < QUERIES)
      asked.push(...contents.slice(0, Math.max(1, (QUERIES * BATCH) / chunks)).map((text) => texts.question(text)))
    await gateway.call('fill', { contents, session: `s${from}` }, { as: { tenantId } })
  }
  return asked
}

/** Each question runs once before it counts, because a warm service is measured. */
export async function searched(
  gateway: TestGateway,
  asked: readonly { query: string; tenantId: string }[],
): Promise<{ p50: number; p95: number }> {
  const times: number[] = []
  for (const { query, tenantId } of asked.slice(0, 20)) await gateway.call('memory_search', { query }, { as: { tenantId } })
  for (const { query, tenantId } of asked) {
    const begun = performance.now()
    await gateway.call('memory_search', { query }, { as: { tenantId } })
    times.push(performance.now() - begun)
  }
  times.sort((a, b) => a - b)
  const at = (share: number): number => Number((times[Math.floor(times.length * share)] as number).toFixed(2))
  return { p50: at(0.5), p95: at(0.95) }
}

/** Checks that the hybrid run is hybrid: else its figures would cover words alone. */
async function quiet(gateway: TestGateway, tenantId: string, [query = '']: readonly string[]): Promise<void> {
  const { mode } = await gateway.call('memory_search', { query }, { as: { tenantId } })
  console.error(`searched ${mode}`)
}

/** With a frozen clock, each index on the time begins a page for each chunk, at the position of its random id. */
const running: TestClock = { now: Date.now, advance() {}, set() {} }

export async function storeRates(): Promise<string[]> {
  await using gateway = await startTestGateway({ plugins: [memory, trash, tasks], clock: running })
  const texts = new Texts(11)
  const rate = async (work: (i: number) => Promise<unknown>): Promise<number> => {
    const rounds: number[] = []
    for (let round = 0; round < 5; round++) {
      const begun = performance.now()
      for (let i = 0; i < 40; i++) await Promise.all(Array.from({ length: 64 }, (_, j) => work(i * 64 + j)))
      rounds.push((40 * 64 * 1000) / (performance.now() - begun))
    }
    return rounds.sort((a, b) => a - b)[2] as number
  }
  const create = await rate((i) => gateway.call('tasks_create', { repo: 'r', title: `${texts.text(8)} ${i}` }))
  const store = await rate(() => gateway.call('memory_store', { content: texts.text(CHUNK_WORDS), repo: 'r' }))
  const session = await rate((i) => gateway.call('memory_store', { content: texts.text(CHUNK_WORDS), sessionId: `s${i % 50}` }))
  const line = (what: string, n: number): string => `${what}: ${Math.round(n)} a second, ${(n / create).toFixed(2)} of tasks_create`
  return [line('tasks_create', create), line('memory_store', store), line('memory_store within sessions', session)]
}

export const filler: Plugin = definePlugin({
  id: 'filler',
  sdk: '^1.0.0',
  description: 'Fills the memory, for the benchmark.',
  tools: [
    defineTool({
      name: 'fill',
      description: 'Stores many chunks at once, for the benchmark.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ contents: Type.Array(Type.String()), session: Type.String() }, closed),
      output: Type.Unknown(),
      uses: { memory: memoryService },
      handle: async ({ contents, session }, { memory }) =>
        (await memory.store(contents.map((content) => ({ content, sessionId: session })))).filter(({ stored }) => stored).length,
    }),
  ],
})

/** Vectors without cost, since only their search is measured: drawn at random, the same for the same text. */
const instantVectors: Plugin = definePlugin({
  id: 'embeddings',
  sdk: '^1.0.0',
  description: 'Vectors drawn at random, for the benchmark.',
  provides: [
    provideProcess(embeddings, {
      create: () => ({
        status: () => ({ state: 'ready', model: 'random', dimensions: 384, running: false }),
        forgetQueries() {},
        embed: async (texts) =>
          texts.map((text) => {
            const random = new Texts(
              1 + ([...text].reduce((hash, c) => (hash * 31 + c.charCodeAt(0)) % 2_147_483_000, 7) % 2_147_483_000),
              1,
            )
            return Float32Array.from({ length: 384 }, () => random.random() - 0.5)
          }),
      }),
    }),
  ],
})

export function memoryMarkdown({ searches, stores }: Awaited<ReturnType<typeof measureMemory>>): string {
  const rows = searches.map(({ what, p50, p95 }) => `| ${what} | ${p50} | ${p95} |`)
  return ['| memory_search | p50 ms | p95 ms |', '| --- | --: | --: |', ...rows, '', ...stores.map((line) => `- ${line}`)].join('\n')
}
