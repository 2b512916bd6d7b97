import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'

/** Tools that take any text as a repo, because a report of what happened is kept as it was written. */
const AS_WRITTEN = ['brain_observe', 'job_history_record', 'job_history_search']

test('every tool reads a repo by the same rule, so that all find what one of them has stored', () => {
  const others = standardPlugins
    .flatMap(({ tools }) => tools)
    .filter(({ name, input }) => {
      const { repo } = (input as { properties?: object }).properties as Record<
        string,
        { type?: string; rule?: { must?: string } } | undefined
      >
      return repo?.type === 'string' && !/git remote/.test(repo.rule?.must ?? '') && !AS_WRITTEN.includes(name)
    })
  assert.deepEqual(
    others.map(({ name }) => name),
    [],
  )
})
