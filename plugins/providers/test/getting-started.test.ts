import assert from 'node:assert/strict'
import { test } from 'node:test'
import outgoing from '@gateway/plugin-outgoing'
import type { GettingStartedStep } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { configureProvider } from '../src/contributions/getting-started.ts'
import providers from '../src/index.ts'

test('the step of the getting-started list shows a config file that configures a provider, and the variable that it names', async () => {
  const { snippets = [] } = configureProvider.create({ pool: { configured: false } } as never, {} as never) as GettingStartedStep
  const [file, shell] = snippets.map(({ code }) => code)
  const names = [...(file ?? '').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name)
  assert.deepEqual(names, ['ANTHROPIC_API_KEY'])
  for (const name of names) assert.match(shell ?? '', new RegExp(`^export ${name}=`, 'm'))
  const { plugins } = JSON.parse(file ?? '') as { plugins: Record<string, Record<string, unknown>> }
  await using gateway = await startTestGateway({ plugins: [outgoing, providers], config: plugins })
  assert.deepEqual((await gateway.call('provider_health')).failoverChain, ['api'])
})
