import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { atLeast, type Capability, type Role } from '@gateway/sdk'
import { decide, leastRole } from '../../src/rights/may.ts'

const table: Record<Role, Capability[]> = {
  viewer: ['read'],
  member: ['read', 'work'],
  admin: ['read', 'work', 'configure', 'members'],
  owner: ['read', 'work', 'configure', 'members', 'billing'],
  system: ['read', 'work', 'configure', 'members', 'billing', 'operator'],
  operator: ['read', 'work', 'configure', 'members', 'billing', 'operator'],
}
const capabilities: Capability[] = ['read', 'work', 'configure', 'members', 'billing', 'operator']

describe('capabilities', () => {
  for (const [role, held] of Object.entries(table) as [Role, Capability[]][]) {
    it(`${role} holds ${held.join(', ')}`, () => {
      for (const capability of capabilities) {
        const has = held.includes(capability)
        assert.equal(decide(role, capability, true), has ? 'allowed' : 'denied')
        assert.equal(decide(role, capability, false), has ? 'allowed' : capability === 'operator' ? 'denied' : 'shadow')
      }
    })
  }
  it('one role is at least another when it holds all that the other holds', () => {
    for (const [role, held] of Object.entries(table) as [Role, Capability[]][]) {
      for (const [other, needed] of Object.entries(table) as [Role, Capability[]][]) {
        const all = needed.every((capability) => held.includes(capability))
        assert.equal(atLeast(role, other), all, `${role} and ${other}`)
      }
    }
  })
  it('a refusal can name the least role that would do', () => {
    assert.deepEqual(capabilities.map(leastRole), ['viewer', 'member', 'admin', 'admin', 'owner', 'operator'])
  })
})
