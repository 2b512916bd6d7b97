import { closed, type Infer, Type } from '@gateway/sdk'

/** A saved view: the filters and the order of a page, under a name that its owner gave. */
export const View = Type.Object(
  {
    viewId: Type.String(),
    name: Type.String(),
    page: Type.String({ description: 'Path of the page: `/tasks`.' }),
    query: Type.String({ description: 'Query of its address, with the filters and the order.' }),
    updatedAt: Type.String(),
  },
  closed,
)
export type View = Infer<typeof View>

/** A view belongs to one caller: its key, or the operator. */
export const StoredView = Type.Object({ ...View.properties, ownerId: Type.String() }, closed)
