import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { costUsd } from '../src/rules/usage.ts'
import { type Behaviour, refuses, standIn, WIRES, type WireName } from './stand-in.ts'
import { ask, guard, provider, start } from './support.ts'

const PRICE = { inputPerMTok: 3, outputPerMTok: 15, cacheReadPerMTok: 0.3, cacheWritePerMTok: 3.75 }
const prices = { 'model-s': PRICE }
/** 40 characters are 10 tokens, and a message costs 4. */
const messages = [{ role: 'user', content: 'y'.repeat(40) }]
const PROMPT = 14
/** 80 characters: 20 tokens. */
const TEXT = 'word '.repeat(16)
const WORDS = 20

interface Counts {
  /** Members of a report of the OpenAI format beside the counts. */
  readonly more?: object
  /** Members of an answer of the OpenAI format beside its report. */
  readonly top?: object
  readonly input?: unknown
  readonly output?: unknown
  readonly read?: unknown
  readonly write?: unknown
  /** Tokens written for five minutes and for an hour, as the Anthropic format splits them. */
  readonly kept?: readonly [minutes: number, hour: number]
}
/** Each wire, streamed and in one piece: an answer with these counts, as the wire names them. */
const forms: Readonly<Record<string, (counts: Counts) => Behaviour>> = Object.fromEntries(
  WIRES.flatMap((wire) => [
    [`${wire}, streamed`, (counts: Counts) => streamed(wire, counts)],
    [`${wire}, in one piece`, (counts: Counts) => refuses(200, {}, whole(wire, counts))],
  ]),
)

const openaiUsage = ({ input, output, read, write, more }: Counts) => ({
  prompt_tokens: input,
  completion_tokens: output,
  prompt_tokens_details: { cached_tokens: read, cache_write_tokens: write },
  ...more,
})
const anthropicUsage = ({ input, output, read, write, kept }: Counts) => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: write,
  ...(kept && { cache_creation: { ephemeral_5m_input_tokens: kept[0], ephemeral_1h_input_tokens: kept[1] } }),
})
const whole = (wire: WireName, counts: Counts): object =>
  wire === 'openai'
    ? { choices: [{ message: { content: TEXT }, finish_reason: 'stop' }], usage: openaiUsage(counts), ...counts.top }
    : { content: [{ type: 'text', text: TEXT }], stop_reason: 'end_turn', usage: anthropicUsage(counts) }

function streamed(wire: WireName, counts: Counts): Behaviour {
  const { output, ...prompt } = counts
  const openai = [
    { choices: [{ delta: { content: TEXT }, finish_reason: null }], ...counts.top },
    { choices: [{ delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage: openaiUsage(counts) },
  ]
  const anthropic = [
    { type: 'message_start', message: { usage: anthropicUsage({ ...prompt, output: 1 }) } },
    { type: 'content_block_delta', delta: { type: 'text_delta', text: TEXT } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: output } },
    { type: 'message_stop' },
  ]
  const events = wire === 'openai' ? [...openai.map((one) => JSON.stringify(one)), '[DONE]'] : anthropic.map((one) => JSON.stringify(one))
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(events.map((event) => `data: ${event}\n\n`).join(''))
  }
}

async function usageOf(behaviour: Behaviour) {
  await using model = await standIn(behaviour)
  const { plugin, planned, settled } = guard()
  const wire = model.baseUrl
  const named = { wire: behaviours.get(behaviour) ?? 'openai', prices }
  await using gateway = await start({ api: provider(wire, named) }, {}, { plugins: [plugin] })
  const { usage } = await ask(gateway, { messages, maxTokens: 1_000 })
  return { usage, planned: planned[0], settled: settled[0] }
}
const behaviours = new Map<Behaviour, WireName>()
const usageIn = (form: string, counts: Counts) => {
  const behaviour = (forms[form] as (counts: Counts) => Behaviour)(counts)
  behaviours.set(behaviour, form.startsWith('anthropic') ? 'anthropic' : 'openai')
  return usageOf(behaviour)
}

for (const form of Object.keys(forms)) {
  test(`${form}: counts that cannot be are taken as not given, estimated, marked as estimates and paid for`, async () => {
    for (const odd of [0, -5, 12.5, 1e15, Number.MAX_SAFE_INTEGER, 'many', null]) {
      const { usage, settled } = await usageIn(form, { input: odd, output: odd })
      const costUsd = (PROMPT * 3 + WORDS * 15) / 1e6
      assert.deepEqual(
        usage,
        { inputTokens: PROMPT, outputTokens: WORDS, estimated: true, costUsd, priced: true },
        `${odd} tokens count as not given`,
      )
      assert.equal(settled?.costUsd, costUsd)
    }
  })

  test(`${form}: one count that cannot be leaves the other as it was given`, async () => {
    const { usage: input } = await usageIn(form, { input: 0, output: 7 })
    assert.deepEqual([input.inputTokens, input.outputTokens, input.estimated], [PROMPT, 7, true])
    const { usage: output } = await usageIn(form, { input: 11, output: 0 })
    assert.deepEqual([output.inputTokens, output.outputTokens, output.estimated], [11, WORDS, true])
  })

  test(`${form}: tokens of caches are part of the prompt, and cost what is set for them`, async () => {
    // The OpenAI format counts them within the prompt, the Anthropic format beside it.
    const input = form.startsWith('anthropic') ? 100 : 1_600
    const { usage, planned, settled } = await usageIn(form, { input, output: 10, read: 1_000, write: 500 })
    assert.equal(usage.costUsd, (100 * 3 + 1_000 * 0.3 + 500 * 3.75 + 10 * 15) / 1e6)
    const tokens = { inputTokens: 1_600, outputTokens: 10, cacheReadTokens: 1_000, cacheWriteTokens: 500 }
    assert.deepEqual(usage, { ...tokens, estimated: false, costUsd: usage.costUsd, priced: true })
    assert.equal(settled?.costUsd, usage.costUsd)
    assert.equal(planned?.maxCostUsd, (PROMPT * 3.75 + 1_000 * 15) / 1e6, 'the greatest price has the whole prompt written to the cache')
  })
}

test('tokens of caches without a price of their own cost as much as others', async () => {
  await using model = await standIn(refuses(200, {}, whole('openai', { input: 100, output: 10, read: 60 })))
  await using gateway = await start({ api: provider(model.baseUrl, { prices: { 'model-s': { inputPerMTok: 3, outputPerMTok: 15 } } }) })
  const { usage } = await ask(gateway)
  assert.deepEqual([usage.costUsd, usage.cacheReadTokens], [(100 * 3 + 10 * 15) / 1e6, 60])
})

test('a cache that is said to hold more than the prompt holds all of it', async () => {
  const { usage } = await usageIn('openai, in one piece', { input: 100, output: 10, read: 5_000 })
  assert.deepEqual([usage.inputTokens, usage.cacheReadTokens, usage.costUsd], [100, 100, (100 * 0.3 + 10 * 15) / 1e6])
})

for (const form of ['openai, streamed', 'openai, in one piece']) {
  test(`${form}: reasoning is paid for, whether the vendor counts it within the completion or beside it`, async () => {
    const reasoning = (tokens: number) => ({ completion_tokens_details: { reasoning_tokens: tokens } })
    for (const { vendor, input, output, more, tokens } of [
      { vendor: 'xAI', input: 10_120, output: 1_499, more: { total_tokens: 14_428, ...reasoning(2_809) }, tokens: 4_308 },
      { vendor: 'Gemini', input: 20, output: 198, more: { total_tokens: 623 }, tokens: 603 },
      { vendor: 'Gemini without a visible answer', input: 21, output: 0, more: { total_tokens: 81 }, tokens: 60 },
      { vendor: 'OpenAI', input: 100, output: 300, more: { total_tokens: 400, ...reasoning(200) }, tokens: 300 },
      { vendor: 'without a total, beside', input: 100, output: 7, more: reasoning(200), tokens: 207 },
      { vendor: 'without a total, within', input: 100, output: 300, more: reasoning(200), tokens: 300 },
      { vendor: 'with a total that cannot be', input: 100, output: 7, more: { total_tokens: 1e15 }, tokens: 7 },
      { vendor: 'with a total that is too small', input: 100, output: 7, more: { total_tokens: 50 }, tokens: 7 },
      { vendor: 'with a total and no prompt', input: 0, output: 7, more: { total_tokens: 500 }, tokens: 7 },
    ]) {
      const { usage, settled } = await usageIn(form, { input, output, more })
      const prompt = input || PROMPT
      assert.deepEqual([usage.inputTokens, usage.outputTokens], [prompt, tokens], vendor)
      assert.equal(settled?.costUsd, (prompt * 3 + tokens * 15) / 1e6, vendor)
    }
  })
}

for (const form of ['anthropic, streamed', 'anthropic, in one piece']) {
  test(`${form}: tokens that a cache keeps for an hour cost 1.6 times those of five minutes`, async () => {
    for (const { kept, write, minutes, hour } of [
      { kept: [300, 200], write: 500, minutes: 300, hour: 200 },
      { kept: [0, 500], write: 500, minutes: 0, hour: 500 },
      { kept: [300, 200], write: undefined, minutes: 300, hour: 200 },
      { kept: [0, 900], write: 500, minutes: 0, hour: 500 },
    ] as const) {
      const { usage, settled } = await usageIn(form, { input: 100, output: 10, read: 1_000, write, kept })
      assert.deepEqual([usage.inputTokens, usage.cacheWriteTokens], [1_600, 500])
      const expected = (100 * 3 + 1_000 * 0.3 + minutes * 3.75 + hour * 6 + 10 * 15) / 1e6
      assert.equal(Math.round(usage.costUsd * 1e9), Math.round(expected * 1e9), `${kept}`)
      assert.equal(settled?.costUsd, usage.costUsd)
    }
  })
}

for (const form of ['openai, streamed', 'openai, in one piece']) {
  test(`${form}: an answer of a faster service costs more than the public price, marked as an estimate, and the price of the settings as it is`, async () => {
    const table = { vendors: [{ vendor: 'V', source: 'https://v.example', asOf: '2026-01-02', models: prices }] }
    await using file = await priceFile(table)
    const costs: [number, boolean][] = []
    for (const service_tier of ['default', 'flex', 'priority', 'fast']) {
      for (const own of [{}, { prices }]) {
        await using model = await standIn((forms[form] as (counts: Counts) => Behaviour)({ input: 100, output: 10, top: { service_tier } }))
        await using gateway = await start({ api: provider(model.baseUrl, own) }, { priceFile: file.path })
        const { usage } = await ask(gateway, { messages })
        costs.push([usage.costUsd, usage.estimated])
      }
    }
    const usual = (100 * 3 + 10 * 15) / 1e6
    const dearer = usual * 2.5
    assert.deepEqual(costs, [
      [usual, false],
      [usual, false],
      [usual, false],
      [usual, false],
      [dearer, true],
      [usual, false],
      [dearer, true],
      [usual, false],
    ])
  })
}

async function priceFile(table: object) {
  const folder = await mkdtemp(join(tmpdir(), 'prices-'))
  const path = join(folder, 'prices.json')
  await writeFile(path, JSON.stringify(table))
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

test('tokens that a cache keeps for an hour cost their own price, or twice the input where caches have no price', () => {
  const tokens = { inputTokens: 1_000_000, outputTokens: 0, cacheWriteTokens: 1_000_000, cacheWrite1hTokens: 1_000_000 }
  const cost = (more: object) => costUsd(tokens, { inputPerMTok: 3, outputPerMTok: 15, ...more })
  assert.deepEqual([cost({}), cost({ cacheWritePerMTok: 5 }), cost({ cacheWritePerMTok: 5, cacheWrite1hPerMTok: 7 })], [6, 8, 7])
})
