import { atomically, BadRequest, closed, defineRoute, Type } from '@gateway/sdk'
import { views } from '../collections.ts'
import { MAX_VIEWS, shown } from '../rules/views.ts'
import { View } from '../schema.ts'

const PATH = /^\/[A-Za-z0-9][A-Za-z0-9._~%:@/-]*$/

export const dashboardSaveView = defineRoute({
  name: 'dashboard.save-view',
  description: `Save a view of a page for the caller, or replace that of the same name: at most ${MAX_VIEWS}. Returns it.`,
  capability: 'read',
  effect: 'write',
  rest: 'POST /api/dashboard/views',
  input: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 80 }),
      page: Type.String({ minLength: 1, maxLength: 500, description: 'Path of the page: `/tasks`.' }),
      query: Type.String({ maxLength: 2_000, description: 'Query of its address, with the filters and the order.' }),
    },
    closed,
  ),
  output: Type.Object({ view: View }, closed),
  uses: { views, atomically },
  async handle({ name, page, query }, { views, atomically }, ctx) {
    if (!PATH.test(page))
      throw BadRequest({ field: 'page', message: `\`page\` must be the path of a page, such as /tasks; got ${JSON.stringify(page)}` })
    const ownerId = ctx.principal.id
    const updatedAt = ctx.now().toISOString()
    const view = await atomically(async (tx) => {
      const own = views.in(tx)
      const { items } = await own.find({ where: { ownerId, page, name }, limit: 1 })
      if (items[0]) return own.updateOne(items[0].viewId, { set: { query, updatedAt } })
      if ((await own.count({ ownerId }, { max: MAX_VIEWS })) >= MAX_VIEWS)
        throw BadRequest({
          field: 'name',
          message: `\`name\` must be that of a saved view, because a caller keeps at most ${MAX_VIEWS} views; delete one first.`,
        })
      return own.insert({ viewId: ctx.newId('view-'), ownerId, name, page, query, updatedAt })
    })
    if (view === undefined) throw new Error('the view was removed while it was saved')
    return { view: shown(view) }
  },
})
