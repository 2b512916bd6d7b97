import { closed, defineRoute, Type } from '@gateway/sdk'
import { members } from '../collections.ts'
import { StoredMember } from '../schema.ts'

const MAX = 1_000

export const listMembers = defineRoute({
  name: 'sign-in.members',
  description: 'List the people of your tenant who sign in through a provider, latest first. Needs the capability members.',
  capability: 'members',
  effect: 'read',
  rest: 'GET /api/members',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), members: Type.Array(StoredMember) }, closed),
  uses: { members },
  async handle(_input, { members }) {
    const { items } = await members.find({ sort: { createdAt: -1 }, limit: MAX })
    return { count: items.length, members: [...items] }
  },
})
