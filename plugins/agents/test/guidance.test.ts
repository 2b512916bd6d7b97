import assert from 'node:assert/strict'
import { test } from 'node:test'
import mailbox from '@gateway/plugin-mailbox'
import { agentFile, folder, member, model, start } from './support.ts'

const hook = (name: string, more: string) =>
  `---\nname: ${name}\nevent: before-answer\ndescription: Made for a test.\n${more}---\n\nDo ${name}.\n`
const rule = (name: string, more: string) => `---\nname: ${name}\ndescription: The gist of ${name}.\n${more}---\n\nKeep ${name}.\n`

test('rules are part of every system prompt; a hook that applies to invocations is, where the agent has its tools', async () => {
  await using directory = await folder({
    'agents/clerk.md': agentFile('clerk').replace('tasks_list, tasks_claim', 'mail_inbox'),
    'hooks/ours.md': hook('ours', 'applies: invocation\ntools: [mail_inbox]\n'),
    'hooks/theirs.md': hook('theirs', 'applies: [invocation]\ntools: [tasks_claim]\n'),
    'rules/tidy.md': rule('tidy', ''),
    'rules/clients.md': rule('clients', 'applies: [boot]\n'),
  })
  await using one = await model()
  await using gateway = await start({ config: { ...one.config, agents: { dirs: [directory.path] } }, plugins: [mailbox] })
  for (const call of ['agents_invoke', 'skills_invoke']) {
    const named = call === 'agents_invoke' ? { agent: 'clerk' } : { skill: 'find-cause' }
    await gateway.call(call, { ...named, message: 'Go.' }, member)
    const { content } = one.asked.at(-1).messages[0]
    assert.match(content, /\n\n# Rules\n\n## ask-once\nDeleting, publishing, paying/)
    assert.match(content, /## no-secrets\nNever write a key[\s\S]*## tidy\nKeep tidy\./)
    assert.doesNotMatch(content, /clients|theirs|hand-over/)
    assert.equal(content.includes('# When it happens\n\n## before-answer: ours\nDo ours.'), call === 'agents_invoke')
  }
})

test('clients are told at their start the rules and hooks that say they apply there', async () => {
  await using directory = await folder({
    'rules/tidy.md': rule('tidy', 'applies: [boot]\n'),
    'rules/odd.md': rule('odd', 'applies: [moon]\n'),
  })
  await using gateway = await start({ config: { agents: { dirs: [directory.path] } } })
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const { json } = await gateway.inject({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
  })
  const { instructions } = json().result
  assert.match(instructions, /## Rules and hooks\n/)
  assert.match(instructions, /- rule `tidy`: The gist of tidy\./)
  assert.match(instructions, /- at session-end: Leave the next session what it needs\. \(`handoff_write`/)
  assert.doesNotMatch(instructions, /smallest-change/)
  assert.ok(gateway.logs.some((line) => /applies must be a list of invocation, boot/.test(JSON.stringify(line))))
  const { hooks } = (await gateway.inject({ method: 'GET', url: '/api/hooks' })).json()
  assert.deepEqual(hooks[0].applies, ['boot'])
})
