import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { startTestGateway } from '@gateway/testing'
import { transportFixture } from './transport-plugin.ts'

const { cache } = createRequire(import.meta.url)
const isSwaggerLoaded = (): boolean => Object.keys(cache).some((path) => path.includes('/@fastify/swagger/'))

test('@fastify/swagger serves the OpenAPI document, and is loaded at the first request for it', async () => {
  await using gateway = await startTestGateway({ plugins: [transportFixture().plugin] })
  await gateway.inject({ method: 'GET', url: '/api/docs' })
  assert.equal(isSwaggerLoaded(), false)
  const first = await gateway.inject({ method: 'GET', url: '/api/openapi.json' })
  assert.equal(isSwaggerLoaded(), true)
  assert.equal(first.json().openapi, '3.1.0')
  const second = await gateway.inject({ method: 'GET', url: '/api/openapi.json' })
  assert.equal(second.body, first.body)
})
