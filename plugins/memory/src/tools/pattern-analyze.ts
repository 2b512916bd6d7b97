import { closed, cutText, defined, defineTool, type Filter, Type } from '@gateway/sdk'
import { records } from '../collections.ts'
import { isExpired } from '../rules/chunk.ts'
import { MEMORY } from '../rules/corpus-words.ts'
import { labelsOf } from '../rules/labels.ts'
import { stalenessOf, tagged } from '../rules/patterns.ts'
import { chunkFields, type MemoryRecord, tagsArgument } from '../schema.ts'

const MAX_SHOWN = 2_000

const pattern = Type.Object(
  {
    chunkId: Type.String(),
    content: Type.String(),
    repo: Type.Optional(Type.String()),
    category: Type.Optional(Type.String()),
    tags: Type.Array(Type.String()),
    confidence: Type.Number(),
    usageCount: Type.Integer(),
    score: Type.Number({ description: 'Confidence times usage count.' }),
    createdAt: Type.String(),
    lastUsedAt: Type.String(),
    daysSinceUse: Type.Integer(),
    staleness: Type.Enum(['fresh', 'aging', 'stale'], { type: 'string' }),
    superseded: chunkFields.superseded,
    expired: chunkFields.expired,
  },
  closed,
)

export const patternAnalyze = defineTool({
  name: 'pattern_analyze',
  description:
    'List the patterns the fleet has learned, memories of source pattern, by confidence times usage count, each with how stale it is; superseded and expired ones last, marked. Returns {count, patterns}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      category: Type.Optional(Type.String({ minLength: 1, maxLength: 180, description: 'Patterns tagged `category:<this>`.' })),
      tag: Type.Optional(tagsArgument.items),
      minConfidence: Type.Number({ minimum: 0, maximum: 1, default: 0, description: 'Leaves out patterns with less.' }),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 20, description: 'At most this many patterns.' }),
    },
    closed,
  ),
  output: Type.Object({ count: Type.Integer(), patterns: Type.Array(pattern) }, closed),
  uses: { records },
  async handle({ category, tag, minConfidence, limit }, { records }, ctx) {
    const tags = [...(tag === undefined ? [] : [tag]), ...(category === undefined ? [] : [`category:${category}`])]
    const labels = labelsOf({ corpus: MEMORY, tags }).map((label) => ({ labels: { has: label } }))
    const confident = minConfidence > 0 ? [{ confidence: { gte: minConfidence } }] : []
    const where = { strength: { exists: true }, and: [...labels, ...confident] }
    const find = async (validity: Filter<MemoryRecord>, limit: number) =>
      (await records.find({ where: { and: [where, validity] }, sort: { strength: -1 }, limit })).items
    const now = ctx.now().toISOString()
    const isOver = { or: [{ supersededBy: { exists: true } }, { validUntil: { lte: now } }] }
    const valid = await find({ not: isOver }, limit)
    const patterns = valid.length === limit ? valid : [...valid, ...(await find(isOver, limit - valid.length))]
    return { count: patterns.length, patterns: patterns.map((one) => patternShown(one, ctx.now())) }
  },
})

function patternShown(record: MemoryRecord, now: Date) {
  const { id, content, repo, tags, confidence = 0, usageCount = 0, createdAt, lastUsedAt = createdAt } = record
  const category = tagged(tags, 'category')
  return {
    chunkId: id,
    content: cutText(content, MAX_SHOWN),
    ...defined({ repo, category }),
    tags,
    confidence,
    usageCount,
    score: Number((confidence * usageCount).toFixed(6)),
    createdAt,
    lastUsedAt,
    ...stalenessOf(lastUsedAt, now),
    ...(record.supersededBy !== undefined && { superseded: true }),
    ...(isExpired(record, now) && { expired: true }),
  }
}
