import { closed, defineRoute, listChanged, NotFound, Type } from '@gateway/sdk'
import { installs } from '../collections.ts'
import { installSchema, slug } from '../schema.ts'

export const installsRemove = defineRoute({
  name: 'marketplace.installs-remove',
  description: 'Remove an installed package. Returns the installation that was removed.',
  capability: 'configure',
  effect: 'destructive',
  rest: 'DELETE /api/marketplace/installs/:slug',
  input: Type.Object({ slug }, closed),
  output: Type.Object({ install: installSchema }, closed),
  uses: { installs, changed: listChanged },
  async handle({ slug }, { installs, changed }) {
    const install = await installs.deleteOne(slug)
    if (!install) throw NotFound({ what: 'installation', id: slug })
    changed.emit({ list: 'prompts' })
    return { install }
  },
})
