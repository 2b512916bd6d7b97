import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { views } from '../collections.ts'
import { shown } from '../rules/views.ts'
import { View } from '../schema.ts'

export const dashboardDeleteView = defineRoute({
  name: 'dashboard.delete-view',
  description: 'Delete a saved view of the caller. Returns it, so that it can be saved again.',
  capability: 'read',
  effect: 'destructive',
  rest: 'DELETE /api/dashboard/views/:viewId',
  input: Type.Object({ viewId: Type.String({ minLength: 1, maxLength: 100 }) }, closed),
  output: Type.Object({ view: View }, closed),
  uses: { views },
  async handle({ viewId }, { views }, { principal }) {
    // A view of another caller is not revealed.
    const view = await views.deleteOne(viewId, { ownerId: principal.id })
    if (view === undefined) throw NotFound({ what: 'view', id: viewId })
    return { view: shown(view) }
  },
})
