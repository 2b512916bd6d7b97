import assert from 'node:assert/strict'
import { test } from 'node:test'
import conformance from '@gateway/example-conformance'
import { startTestGateway } from '@gateway/testing'
import { missing, run } from './program.ts'

/** The command of the package `@modelcontextprotocol/inspector` 2, which needs Node 22 as `node`; `npm run conformance` has both. */
const reason = missing('mcp-inspector', ['--version'])
/** Exit code for a refusal by the tool. */
const TOOL_ERROR = 5

for (const era of ['legacy', 'modern'] as const) {
  const name = `the Inspector’s command line works in its ${era} era`
  test(reason ? `${name} (skipped: ${reason})` : name, { skip: reason !== undefined }, async () => {
    await using gateway = await startTestGateway({ plugins: [conformance], listen: true })
    const inspect = (method: string, ...more: string[]) =>
      run('mcp-inspector', [
        '--cli',
        `${gateway.url}/mcp`,
        '--transport',
        'http',
        '--protocol-era',
        era,
        '--format',
        'json',
        '--method',
        method,
        ...more,
      ])
    const result = async (method: string, ...more: string[]) => {
      const { code, stdout, stderr } = await inspect(method, ...more)
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout).result
    }

    const { tools } = await result('tools/list')
    assert.deepEqual(
      tools.map((tool: { name: string }) => tool.name),
      conformance.tools.map((tool) => tool.name),
    )
    const called = await result('tools/call', '--tool-name', 'greet', '--tool-arg', 'name=Ada')
    assert.equal(called.content[0].text, 'Hello, Ada!')
    const { contents } = await result('resources/read', '--uri', 'test://static-text')
    assert.equal(contents[0].text, 'The same text for every reader.')
    const { messages } = await result('prompts/get', '--prompt-name', 'test_simple_prompt')
    assert.equal(messages[0].content.text, 'Say something simple.')
    assert.equal((await inspect('tools/call', '--tool-name', 'test_error_handling')).code, TOOL_ERROR)
  })
}
