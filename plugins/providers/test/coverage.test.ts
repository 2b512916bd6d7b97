import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CoveredSpend } from '../src/api.ts'
import { Coverage } from '../src/operations/coverage.ts'

const usageAt = (outputTokens: number): CoveredSpend => ({ inputTokens: 1, outputTokens, costUsd: outputTokens, priced: true })

for (const [most, tokens] of [
  [4_096, 4_096],
  [4_096, 100_000],
  [100_000, 100_000],
] as const)
  test(`the record of an answer of ${tokens} tokens with a limit of ${most} is ahead of it, and written a few times`, async () => {
    const written: number[] = []
    const reservation = {
      settle: async () => undefined,
      release: async () => undefined,
      cover: async ({ outputTokens }: CoveredSpend) => void written.push(outputTokens),
    }
    const coverage = new Coverage(reservation, usageAt(256), most, usageAt)
    for (let so = 1; so <= tokens; so++) {
      await coverage.reach(so)
      assert.ok((written.at(-1) ?? 256) >= so, `${so} tokens`)
    }
    assert.ok(written.length < 30, `${written.length} writes`)
  })
