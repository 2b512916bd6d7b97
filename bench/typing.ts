import memory from '@gateway/plugin-memory'
import { startTestGateway } from '@gateway/testing'
import { fill, filler, searched } from './memory.ts'
import { Texts } from './memory-texts.ts'

export interface TypingFigures {
  readonly chunks: number
  /** Milliseconds of the same questions: as they are, and with a typing error in their longest word. */
  readonly clean: { readonly p50: number; readonly p95: number }
  readonly misspelt: { readonly p50: number; readonly p95: number }
}

const QUESTIONS = 100
const CONSONANTS = 'bdfglmnprstvkz'
const VOWELS = 'aeiou'
const SYLLABLES = CONSONANTS.length * VOWELS.length

/** Measures what a typing error costs a search: its word is unknown, so its neighbours are looked up and the question runs again. */
export async function measureTyping(chunks: number): Promise<TypingFigures> {
  await using gateway = await startTestGateway({ plugins: [memory, filler] })
  const questions = await fill(gateway, 'one', chunks, new Texts(7, 30_000, spoken))
  const asked = questions.slice(0, QUESTIONS).map((query) => ({ query, tenantId: 'one' }))
  const clean = await searched(gateway, asked)
  const misspelt = await searched(
    gateway,
    asked.map(({ query, tenantId }) => ({ query: swapped(query), tenantId })),
  )
  return { chunks, clean, misspelt }
}

/** A word of four syllables, because words with digits are not corrected. */
function spoken(word: number): string {
  let rest = (word * 7_919) % SYLLABLES ** 4
  let text = ''
  for (let n = 0; n < 4; n++) {
    const syllable = rest % SYLLABLES
    text += `${CONSONANTS[Math.floor(syllable / VOWELS.length)]}${VOWELS[syllable % VOWELS.length]}`
    rest = Math.floor(rest / SYLLABLES)
  }
  return text
}

/** The question with two letters of its first word swapped. */
const swapped = (question: string): string => question.slice(0, 3) + question[4] + question[3] + question.slice(5)

export function typingMarkdown({ chunks, clean, misspelt }: TypingFigures): string {
  const row = (name: string, { p50, p95 }: TypingFigures['clean']): string => `| ${name} | ${p50.toFixed(2)} | ${p95.toFixed(2)} |`
  return [
    `| question of six words over ${chunks.toLocaleString('en')} chunks | p50 ms | p95 ms |`,
    '| --- | --: | --: |',
    row('as it is', clean),
    row('with a typing error in one word', misspelt),
    `| ratio | ${(misspelt.p50 / clean.p50).toFixed(1)} | ${(misspelt.p95 / clean.p95).toFixed(1)} |`,
  ].join('\n')
}
