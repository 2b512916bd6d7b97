import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, database, Node, skip } from './nodes.ts'

const SEATS = 2
const AT_ONCE = 8

for (const path of ['/api/keys', '/api/invitations']) {
  test(`${path} of two gateways at once keeps to the seats of the plan${skip ? ` (${skip})` : ''}`, {
    skip: skip !== false,
    timeout: 120_000,
  }, async () => {
    const url = database()
    const nodes = [new Node(url), new Node(url)] as const
    try {
      for (const node of nodes) await node.start()
      const created = await nodes[0].admin('', { name: 'acme', plan: 'free', tenantId: 'acme' })
      const apiKey = String(created.json.apiKey)
      const give = (node: Node): Promise<Answer> => node.post(path, path === '/api/keys' ? { label: 'agent' } : {}, { 'x-api-key': apiKey })
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => give(nodes[n % 2] as Node)))
      const given = answers.filter(({ status }) => status === 201).length
      assert.equal(given + answers.filter(({ json }) => json.code === 'PLAN_LIMIT_REACHED').length, AT_ONCE, JSON.stringify(answers))
      // The tenant's first key takes a seat; gateways that give the last one at once may both take it back.
      assert.ok(given <= SEATS - 1, `${given} were given beside the first key, at ${SEATS} seats`)
    } finally {
      await Promise.all(nodes.map((node) => node.dispose()))
    }
  })
}
