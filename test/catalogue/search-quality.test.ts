import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue, catalogueTools, questions } from './catalogue.ts'
import { searchQuality } from './search-quality.ts'

const names = new Set(catalogue.map(({ name }) => name))

test('the questions are many, each once, over all families, and their answers exist', () => {
  assert.ok(questions.length >= 60)
  assert.equal(new Set(questions.map(({ question }) => question)).size, questions.length)
  for (const { question, expected } of questions) {
    assert.ok(expected.length > 0, question)
    for (const name of expected) assert.ok(names.has(name), `${question} → ${name}`)
  }
  const asked = new Set(questions.flatMap(({ expected }) => expected))
  const families = new Set(catalogue.map(({ family }) => family))
  for (const family of families)
    assert.ok(
      catalogue.some((tool) => tool.family === family && asked.has(tool.name)),
      family,
    )
})

test('among all tools, what an agent asks for is among the first five, and mostly first', () => {
  const { recallAt5, meanReciprocalRank, missed } = searchQuality(catalogueTools())
  const found = `recall@5 ${recallAt5.toFixed(3)}, MRR ${meanReciprocalRank.toFixed(3)}; missed:\n${missed.join('\n')}`
  assert.ok(recallAt5 >= 0.92, found)
  assert.ok(meanReciprocalRank >= 0.78, found)
})
