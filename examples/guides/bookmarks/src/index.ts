import { closed, defineCollection, defineConfig, defineError, definePlugin, defineTool, httpAddress, Type } from '@gateway/sdk'

const config = defineConfig(
  'bookmarks',
  Type.Object({ most: Type.Integer({ default: 1000, minimum: 1, description: 'Bookmarks a tenant may keep.' }) }, closed),
)

const Bookmark = Type.Object({ url: Type.String(), title: Type.String(), savedAt: Type.String() }, closed)
const bookmarks = defineCollection('bookmarks', { schema: Bookmark, key: 'url', indexes: [{ keys: { savedAt: -1 } }] })

const ShelfFull = defineError('SHELF_FULL', {
  status: 409,
  description: 'The tenant has reached the maximum number of bookmarks; remove one, or raise the setting `most`.',
  details: Type.Object({ most: Type.Integer() }),
  message: ({ most }) => `There are ${most} bookmarks already, and no more may be kept.`,
})

const save = defineTool({
  name: 'bookmark_save',
  description: 'Keep the address of a page. Returns the bookmark; saving it again changes its title.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/bookmarks',
  input: Type.Object({ url: Type.String({ maxLength: 2000, rule: httpAddress }), title: Type.String({ maxLength: 200 }) }, closed),
  output: Type.Object({ bookmark: Bookmark }),
  errors: [ShelfFull],
  uses: { bookmarks, config },
  async handle({ url, title }, { bookmarks, config }, ctx) {
    if ((await bookmarks.count({}, { max: config.most })) >= config.most) throw ShelfFull({ most: config.most })
    return { bookmark: await bookmarks.upsert({ url, title, savedAt: ctx.now().toISOString() }, { set: { title } }) }
  },
})

const list = defineTool({
  name: 'bookmark_list',
  description: 'List the bookmarks, the latest first.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/bookmarks',
  input: Type.Object({}, closed),
  output: Type.Object({ bookmarks: Type.Array(Bookmark) }),
  uses: { bookmarks },
  handle: async (_, { bookmarks }) => ({ bookmarks: [...(await bookmarks.find({ sort: { savedAt: -1 } })).items] }),
})

export default definePlugin({
  id: 'bookmarks',
  sdk: '^1.0.0',
  description: 'Keeps addresses of pages.',
  config,
  collections: [bookmarks],
  tools: [save, list],
})
