import { closed, defineRoute, Type } from '@gateway/sdk'
import { views } from '../collections.ts'
import { MAX_VIEWS, shown } from '../rules/views.ts'
import { View } from '../schema.ts'

export const dashboardViews = defineRoute({
  name: 'dashboard.views',
  description: 'List the saved views of the caller, by page and name. Returns {views}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/dashboard/views',
  input: Type.Object({}, closed),
  output: Type.Object({ views: Type.Array(View) }, closed),
  uses: { views },
  async handle(_input, { views }, { principal }) {
    const { items } = await views.find({ where: { ownerId: principal.id }, sort: { page: 1, name: 1 }, limit: MAX_VIEWS })
    return { views: items.map(shown) }
  },
})
