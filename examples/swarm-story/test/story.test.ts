import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { tellStory } from '../src/index.ts'

test('the story of a swarm holds against a gateway, told twice', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins, listen: true })
  for (const time of [1, 2]) {
    const lines: string[] = []
    const pass = async (seconds: number): Promise<void> => gateway.clock.advance(seconds)
    await tellStory(gateway.url, pass, (line) => lines.push(line))
    assert.equal(lines.length, 28, `${time}: ${lines.join('\n')}`)
  }
})
