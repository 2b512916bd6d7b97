import { atomically, closed, defineCollection, defineConfig, defineError, definePlugin, defineTool, httpAddress, Type } from '@gateway/sdk'

const config = defineConfig(
  'bookmarks',
  Type.Object({ maxBookmarks: Type.Integer({ default: 1000, minimum: 1, description: 'Maximum per tenant.' }) }, closed),
)

const Bookmark = Type.Object({ url: Type.String(), title: Type.String(), savedAt: Type.String() }, closed)
const bookmarks = defineCollection('bookmarks', { schema: Bookmark, key: 'url', indexes: [{ keys: { savedAt: -1 } }] })

const TooManyBookmarks = defineError('TOO_MANY_BOOKMARKS', {
  status: 409,
  description: 'The tenant has the maximum number of bookmarks; the setting `maxBookmarks` raises it.',
  details: Type.Object({ maxBookmarks: Type.Integer() }),
  message: ({ maxBookmarks }) => `The tenant has ${maxBookmarks} bookmarks, the maximum; the setting maxBookmarks raises it.`,
})

const save = defineTool({
  name: 'bookmark_save',
  description: 'Keep the URL of a page. Returns the bookmark; saving the URL again changes its title.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/bookmarks',
  input: Type.Object({ url: Type.String({ maxLength: 2000, rule: httpAddress }), title: Type.String({ maxLength: 200 }) }, closed),
  output: Type.Object({ bookmark: Bookmark }),
  errors: [TooManyBookmarks],
  uses: { bookmarks, config, atomically },
  handle: ({ url, title }, { bookmarks, config: { maxBookmarks }, atomically }, ctx) =>
    atomically(async (tx) => {
      const own = bookmarks.in(tx)
      const renamed = await own.updateOne(url, { set: { title } })
      if (renamed) return { bookmark: renamed }
      if ((await own.count({}, { max: maxBookmarks })) >= maxBookmarks) throw TooManyBookmarks({ maxBookmarks })
      return { bookmark: await own.insert({ url, title, savedAt: ctx.now().toISOString() }) }
    }),
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
  description: 'Keeps the URLs of pages.',
  config,
  collections: [bookmarks],
  tools: [save, list],
})
