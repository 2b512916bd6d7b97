import { defineCollection, definePlugin, Type } from '@gateway/sdk'

const things = defineCollection('Unstorable', { schema: Type.Object({ id: Type.String() }), key: 'id' })

export default definePlugin({ id: 'unstorable', sdk: '^1.0.0', description: 'Has a collection of an odd name.', collections: [things] })
