import { closed, defineCollection, Type } from '@gateway/sdk'
import { progressFields, RepoProgress, runFields } from './schema.ts'

/**
 * The maintenance window: one document for the whole gateway and one for each tenant that has ever entered its own. It remains
 * when the window is over, so that entering and leaving are changes of one document, by the store's clock.
 */
export const windows = defineCollection('fleet.maintenance', {
  schema: Type.Object(
    {
      windowId: Type.String(),
      active: Type.Boolean(),
      reason: Type.Optional(Type.String()),
      operator: Type.Optional(Type.String()),
      operatorPrincipal: Type.Optional(Type.String()),
      enteredAt: Type.Optional(Type.String()),
      resumeAt: Type.Optional(Type.String()),
    },
    closed,
  ),
  key: 'windowId',
})

/** The repos are part of the run: one document is read and written whole, and no partial state is ever visible. */
export const runs = defineCollection('fleet.runs', {
  schema: Type.Object(
    {
      ...runFields,
      repos: Type.Array(
        Type.Object(
          {
            ...RepoProgress.properties,
            ...progressFields,
            actionStatus: RepoProgress.properties.actionStatus,
            /** Further members as JSON text: the caller chooses their names, and not every store accepts every name. */
            more: Type.Optional(Type.String()),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  key: 'runId',
  indexes: [{ keys: { startedAt: 1 } }],
})
