import { closed, defineTool, Type } from '@gateway/sdk'
import { meters } from '../collections.ts'
import { config } from '../config.ts'
import { sumBoots } from '../operations/sum-boots.ts'
import { ALL_TIME, meterId, monthOf, tokens } from '../rules/meter.ts'
import type { Meter } from '../schema.ts'

const MAX_USERS = 500

const saved = Type.Object({ boots: Type.Integer(), tokensSaved: Type.Integer(), usd: Type.Number() }, closed)
const periods = { monthToDate: saved, allTime: saved }

export const userSavings = defineTool({
  name: 'user_savings',
  description:
    'Show the estimated tokens that a user saved by booting with a bundle, and their worth in US dollars, this month and in total; without userId those of the whole tenant, and byUser. Returns {monthToDate, allTime, byUser?}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    { userId: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'User id, from whoami.' })) },
    closed,
  ),
  output: Type.Object(
    {
      userId: Type.Optional(Type.String()),
      ...periods,
      byUser: Type.Optional(
        Type.Array(Type.Object({ userId: Type.String(), ...periods }, closed), {
          description: `Largest savings first, at most ${MAX_USERS}.`,
        }),
      ),
    },
    closed,
  ),
  uses: { meters, config },
  async handle({ userId }, { meters, config }, ctx) {
    const month = monthOf(ctx.now())
    const worth = ({ boots, savedCharacters }: Pick<Meter, 'boots' | 'savedCharacters'>) => {
      const tokensSaved = tokens(savedCharacters)
      return { boots, tokensSaved, usd: Math.round(tokensSaved * config.usdPerMillionTokens) / 1_000_000 }
    }
    const idOf = (userId: string, period: string): string => meterId({ kind: 'user', period, userId })
    const none = { boots: 0, savedCharacters: 0 }
    if (userId !== undefined) {
      const [inMonth, ever] = await Promise.all([meters.get(idOf(userId, month)), meters.get(idOf(userId, ALL_TIME))])
      return { userId, monthToDate: worth(inMonth ?? none), allTime: worth(ever ?? none) }
    }
    const [inMonth, ever, users] = await Promise.all([
      sumBoots(meters, month),
      sumBoots(meters, ALL_TIME),
      meters.find({ where: { kind: 'user', period: ALL_TIME }, sort: { savedCharacters: -1 }, limit: MAX_USERS }),
    ])
    const months = await meters.getMany(users.items.map(({ userId = '' }) => idOf(userId, month)))
    const byId = new Map(months.map((meter) => [meter.userId, meter]))
    const byUser = users.items.map((meter) => {
      const userId = meter.userId ?? ''
      return { userId, monthToDate: worth(byId.get(userId) ?? none), allTime: worth(meter) }
    })
    return { monthToDate: worth(inMonth.total), allTime: worth(ever.total), byUser }
  },
})
