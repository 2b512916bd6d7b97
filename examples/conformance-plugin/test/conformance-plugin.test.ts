import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pluginSuite, startTestGateway, type TestGateway } from '@gateway/testing'
import conformance from '../src/index.ts'
import { jsonSchema } from '../src/tools/schemas.ts'

// This tool breaks the rule that arguments are listed one by one: it exists for the combinators at the top of its schema.
pluginSuite({ ...conformance, tools: conformance.tools.filter((tool) => tool !== jsonSchema) }, { folder: import.meta.dirname })

const ARGUMENTS: Readonly<Record<string, object>> = {
  greet: { name: 'Ada' },
  slow_compute: { seconds: 0.01, label: 'a moment' },
  confirm_delete: { filename: 'draft.txt' },
  test_sampling: { prompt: 'Who are you?' },
  test_elicitation: { message: 'Who are you?' },
  test_x_mcp_header: { region: 'north' },
  json_schema_2020_12_tool: { contactMethod: 'phone', phone: '1' },
}

/** Refusals of the tools that need a client that can be asked or returns; the others answer. */
const REFUSALS: Readonly<Record<string, string>> = {
  test_error_handling: 'CONFORMANCE_INTENDED',
  protocol_error_job: 'INTERNAL_ERROR',
  ...Object.fromEntries(
    [
      'test_sampling',
      'test_missing_capability',
      'test_elicitation',
      'test_streaming_elicitation',
      'test_elicitation_sep1034_defaults',
      'test_elicitation_sep1330_enums',
      'test_input_required_result_elicitation',
      'test_input_required_result_sampling',
      'test_input_required_result_list_roots',
      'test_input_required_result_request_state',
      'test_input_required_result_tampered_state',
      'test_input_required_result_multiple_inputs',
      'test_input_required_result_multi_round',
      'failing_job',
      'confirm_delete',
      'multi_input',
      'test_tool_with_task',
    ].map((name) => [name, 'INPUT_UNAVAILABLE']),
  ),
}

describe('over REST, where nobody can be asked', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await startTestGateway({ plugins: [conformance] })
  })
  after(() => gateway.stop())
  const post = (name: string) => gateway.inject({ method: 'POST', url: `/api/tools/${name}`, body: ARGUMENTS[name] ?? {} })

  for (const { name } of conformance.tools) {
    const refusal = REFUSALS[name]
    test(`${name} ${refusal ? `refuses with ${refusal}` : 'answers'}`, async () => {
      const answer = await post(name)
      if (refusal) assert.equal(answer.json().code, refusal)
      else assert.deepEqual([answer.status, answer.json().content.length > 0], [200, true])
    })
  }
  test('every refusal is of a tool there is', () => {
    const names = conformance.tools.map(({ name }) => name)
    assert.deepEqual(
      Object.keys({ ...REFUSALS, ...ARGUMENTS }).filter((name) => !names.includes(name)),
      [],
    )
  })
})
