import { Type, defineCollection, defineTool, defineService, optional, now, atomically, defineError, type Infer } from '@gateway/sdk'
const Doc = Type.Object({ taskId: Type.String(), n: Type.Integer(), tags: Type.Array(Type.String()), at: Type.Optional(Type.String()), st: Type.Enum(['a', 'b']), pr: Type.Optional(Type.Union([Type.Literal('x'), Type.Literal('y')])) }, { additionalProperties: false })
type D = Infer<typeof Doc>
const c = defineCollection('t', { schema: Doc, key: 'taskId', indexes: [{ keys: { n: 1, at: -1 }, present: 'at' }] })
const svc = defineService<{ hi(): string }>('s')
export const t = defineTool({
  name: 'x', description: 'd', capability: 'read', effect: 'read', rest: 'GET /api/x/:id',
  input: Type.Object({ id: Type.String(), k: Type.Optional(Type.Integer({ default: 3 })) }, { additionalProperties: false }),
  output: Type.Object({ doc: Type.Union([Doc, Type.Null()]) }),
  uses: { c, svc: optional(svc), atomically },
  async handle({ id, k }, { c, svc, atomically }, ctx) {
    svc?.hi()
    const kk: number | undefined = k
    const d = await c.get(id)
    await c.claim({ where: { st: 'a', n: { gt: 3 }, at: { lte: now() }, tags: { has: 'q' } }, sort: { n: 1 }, update: { set: { at: now(5), st: 'b' }, inc: { n: 1 }, push: { tags: 'x' } } })
    const r = await atomically(async (tx) => (await c.in(tx).find({ sort: { at: -1 } })).items.length)
    ctx.log.info(String(r + (kk ?? 0)))
    // @ts-expect-error wrong value
    await c.find({ where: { st: 'zz' } })
    // @ts-expect-error not numeric
    await c.updateOne('x', { inc: { taskId: 1 } })
    return { doc: d ?? null }
  },
})
export const d: D = { taskId: 'x', n: 1, tags: [], st: 'a' }
// @ts-expect-error :id2 is no property of the input
defineTool({ name: 'y', description: 'd', capability: 'read', effect: 'read', rest: 'GET /api/x/:id2', input: Type.Object({ id: Type.String() }), output: Type.Object({}), async handle() { return {} } })
export const e = defineError('X', { status: 400, description: '', details: Type.Object({ a: Type.String() }), message: ({ a }) => a })
