import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Tool } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/sdk/testing'
import { standardPlugins } from '@gateway/standard'
import { type Answer, faces } from './support/faces.ts'
import { sampleValue } from './support/sample-arguments.ts'

/**
 * Every tool, over every face, on gateways in the same state: the same result, the same refusal, the same audit row.
 * The catalogue is walked, so a new tool is covered without being named here.
 */
const tools = standardPlugins.flatMap((plugin) => plugin.tools)

/** Ids differ from gateway to gateway by their random part, and only there. */
const sameIds = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null).replaceAll(/\b([a-z]+-)[0-9a-z]{22}\b/g, '$1ID'))

const cases = (tool: Tool): [string, Record<string, unknown>][] => [
  ['no arguments', {}],
  ['the required arguments', sampleValue(tool.input, false) as Record<string, unknown>],
  ['all arguments', sampleValue(tool.input, true) as Record<string, unknown>],
  ['a foreign tenantId', { ...(sampleValue(tool.input, false) as object), tenantId: 'someone-else' }],
  ['an unknown argument', { ...(sampleValue(tool.input, false) as object), noSuchArgument: 'x' }],
]

/** A binding cannot leave out what stands in its path. */
const reaches = (face: string, tool: Tool, args: Record<string, unknown>): boolean =>
  face !== 'binding' || (tool.rest !== undefined && [...tool.rest.matchAll(/:([A-Za-z0-9_]+)/g)].every(([, name = '']) => name in args))

describe('every face gives the same answer', () => {
  const gateways = new Map<keyof typeof faces, TestGateway>()
  before(async () => {
    for (const face of Object.keys(faces) as (keyof typeof faces)[])
      gateways.set(face, await startTestGateway({ plugins: standardPlugins }))
  })
  after(async () => {
    for (const gateway of gateways.values()) await gateway.stop()
  })

  for (const tool of tools) {
    for (const [name, args] of cases(tool)) {
      it(`${tool.name} with ${name}`, async () => {
        const answers: [string, Answer, unknown][] = []
        for (const [face, gateway] of gateways) {
          const asked = reaches(face, tool, args) ? face : 'tool route'
          const known = (await gateway.audit()).length
          const answer = await faces[asked](gateway, tool, args)
          const rows = (await gateway.audit()).slice(known)
          answers.push([
            face,
            answer,
            rows.map((row) => ({
              name: row.name,
              tool: row.tool,
              decision: row.decision,
              principal: row.principal,
              digest: tool.effect === 'read' ? undefined : row.argsDigest,
            })),
          ])
        }
        const [first, ...others] = answers
        for (const other of others) {
          assert.deepEqual(sameIds(other[1]), sameIds(first?.[1]), `${other[0]} answers as ${first?.[0]}`)
          assert.deepEqual(sameIds(other[2]), sameIds(first?.[2]), `${other[0]} is audited as ${first?.[0]}`)
        }
      })
    }
  }
})
