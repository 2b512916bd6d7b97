import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from './support.ts'

/** A sequence that is the same for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const PLACES = ['Lisbon', 'Oslo', 'Turin', 'Ghent', 'Porto', 'Malmö', 'Graz', 'Cork', 'Brno', 'Utrecht', 'Riga', 'Lyon']
const HOBBIES = [
  'pottery',
  'rowing',
  'chess',
  'fencing',
  'baking',
  'archery',
  'origami',
  'sailing',
  'juggling',
  'weaving',
  'climbing',
  'tango',
]
const PEOPLE = [
  'sister',
  'uncle',
  'neighbour',
  'teacher',
  'cousin',
  'manager',
  'dentist',
  'landlord',
  'grandmother',
  'roommate',
  'coach',
  'aunt',
]
/** Sentences that a user says in passing, each with the question that it answers later. */
const FACTS = [
  (p: string, h: string, w: string) => [
    `By the way, my ${w} moved to ${p} and takes up ${h}.`,
    `Where did my ${w} move who takes up ${h}?`,
  ],
  (p: string, h: string, w: string) => [
    `I met my ${w} in ${p} yesterday. We talked about ${h} for hours!`,
    `With whom did I talk about ${h} in ${p}?`,
  ],
  (p: string, h: string, w: string) => [
    `Can you plan a weekend in ${p}? My ${w} wants to try ${h}.`,
    `In which town does my ${w} want to try ${h}?`,
  ],
] as const
const SENTENCES = [
  (a: string, b: string, c: string) => `Many people who visit ${a} also ask about ${b}, and a ${c} often knows more than a guide.`,
  (a: string, b: string) => `There are courses for ${b} in ${a} on most weekends, and you can move between them.`,
  (a: string, _b: string, c: string) => `If your ${c} has moved before, ask where the boxes went, and what ${a} costs in winter.`,
  (_a: string, b: string, c: string) => `Beginners in ${b} talk for hours with a ${c} and want to try everything at once.`,
]

async function recallOf(seed: number): Promise<number> {
  await using gateway = await start()
  const below = random(seed)
  const one = (list: readonly string[]): string => list[below(list.length)] as string
  const asked: { question: string; answer: string }[] = []
  for (let session = 0; session < 12; session++) {
    const messages: object[] = []
    for (let turn = 0; turn < 6; turn++) {
      const [answer, question] = (FACTS[below(FACTS.length)] as (typeof FACTS)[0])(one(PLACES), one(HOBBIES), one(PEOPLE)) as [
        string,
        string,
      ]
      asked.push({ question, answer })
      const long = Array.from({ length: 25 }, () =>
        (SENTENCES[below(SENTENCES.length)] as (typeof SENTENCES)[0])(one(PLACES), one(HOBBIES), one(PEOPLE)),
      )
      messages.push({ role: 'user', text: answer }, { role: 'assistant', text: long.join(' ') })
    }
    await gateway.inject({ method: 'POST', url: '/api/memory/transcripts', body: { sessionId: `s${session}`, messages } })
  }
  let sum = 0
  for (const { question, answer } of asked) {
    const { results } = await gateway.call('memory_search', { query: question, limit: 10 })
    const at = results.findIndex(({ content }: { content: string }) => content === answer)
    sum += at === -1 ? 0 : 1 / Math.log2(at + 2)
  }
  return sum / asked.length
}

test('a short message of a user is found between long answers that have its words too', async () => {
  const seed = Number(process.env.RECALL_SEED ?? 7)
  const ndcg = await recallOf(seed)
  if (process.env.RECALL_SEED) console.log(`nDCG@10 ${ndcg.toFixed(3)}`)
  assert.ok(ndcg >= 0.6, `nDCG@10 ${ndcg.toFixed(3)}`)
})
