import { type Found, shareOfWords } from '@gateway/plugin-memory/api'
import { BadRequest, closed, defineTool, parseTime, rowLimit, Type } from '@gateway/sdk'
import { searchCorpus } from '../api.ts'
import { viewOf } from '../operations/documents.ts'
import { namespaceOf } from '../operations/namespace-of.ts'
import { countRecall } from '../operations/recall-counts.ts'
import { brainUses } from '../operations/refs.ts'
import { type AtomHit, searchAtoms } from '../operations/search.ts'
import { view } from '../operations/view.ts'
import { blend } from '../rules/blend.ts'
import { AtomView, namespaceSchema } from '../schema.ts'

const ROWS = rowLimit(10, 100, 'Hits')
const ATOMS = rowLimit(500, 5_000, 'Atoms that are ranked')
/** Candidates per wanted hit; the ranking can still change their order. */
const CANDIDATES_EACH = 5
const NOTHING: Found<AtomHit> = { mode: 'lexical', hits: [] }

export const brainSearch = defineTool({
  name: 'brain_search',
  description:
    'Find what was learned: one ranked list over the atoms of the brain and the session corpus of memory. Returns hits, nearest first, each with its corpus and score, and the number of hits of each corpus.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      query: Type.String({ minLength: 1, maxLength: 2_000 }),
      repo: Type.Optional(namespaceSchema),
      k: ROWS.argument,
      since: Type.Optional(
        Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'YYYY-MM-DD; applies to the session corpus only.' }),
      ),
      atomLimit: ATOMS.argument,
    },
    closed,
  ),
  output: Type.Object(
    {
      hits: Type.Array(
        Type.Object(
          {
            corpus: Type.String(),
            score: Type.Number({ description: '0 to 1, comparable within this answer.' }),
            title: Type.String(),
            text: Type.String(),
            at: Type.String(),
            repo: Type.Optional(Type.String()),
            id: Type.String({ description: 'Path of the atom, or id in the session corpus.' }),
            atom: Type.Optional(AtomView),
          },
          closed,
        ),
      ),
      truncated: Type.Optional(Type.Boolean({ description: 'More was found than k or atomLimit returns.' })),
      corpora: Type.Record(Type.String(), Type.Integer()),
      mode: Type.Enum(['lexical', 'hybrid'], { type: 'string', description: '`hybrid` when vectors were used.' }),
      model: Type.Optional(
        Type.Enum(['loading', 'absent', 'off', 'ready'], { type: 'string', description: 'State of the model, while lexical.' }),
      ),
      hint: Type.Optional(Type.String({ description: 'While lexical: how to add vectors.' })),
    },
    closed,
  ),
  uses: { ...brainUses, corpora: searchCorpus },
  check({ since }) {
    if (since !== undefined && Number.isNaN(parseTime(since)))
      throw BadRequest({ field: 'since', message: `\`since\` must be a date, YYYY-MM-DD; got ${JSON.stringify(since)}` })
  },
  async handle({ query, repo: asked, k, since, atomLimit }, { corpora, ...refs }, ctx) {
    const repo = await namespaceOf(refs, asked)
    const seen = await view(refs, ctx)
    const limit = ROWS.of(k)
    const ranked = Math.min(ATOMS.of(atomLimit), limit * CANDIDATES_EACH)
    const [{ hits: found, ...how }, ...others] = await Promise.all([
      seen ? searchAtoms(refs, seen, query, { namespace: repo, candidates: ranked + 1 }) : NOTHING,
      ...corpora.map(async (corpus) => ({ name: corpus.name, hits: await corpus.search({ query, repo, since, limit }) })),
    ])
    const atoms = found.slice(0, ranked)
    const own = atoms.slice(0, limit).map(({ atom, score }) => ({
      corpus: 'brain',
      score,
      title: atom.title,
      text: atom.excerpt,
      at: atom.at,
      ...(atom.namespace !== '' && { repo: atom.namespace }),
      id: atom.path,
      atom: viewOf(atom),
    }))
    const ownSayings = new Set(own.map(sayingOf))
    const news = others.map(({ name, hits }) => ({ name, hits: hits.filter((hit) => !ownSayings.has(sayingOf(hit))) }))
    const more = news.map(({ name, hits }) => ({ name, hits: hits.slice(0, limit) }))
    const lists = [own, ...more.map(({ name, hits }) => hits.map((hit) => ({ corpus: name, ...hit })))]
    const hits = blend(lists, shareOfWords(query), limit)
    const truncated = news.reduce((sum, list) => sum + list.hits.length, found.length) > hits.length
    const shown = new Set(hits.filter(({ corpus }) => corpus === 'brain').map(({ id }) => id))
    if (seen)
      await countRecall(
        refs,
        ctx,
        atoms.filter(({ atom }) => shown.has(atom.path)),
      )
    const counts = { brain: own.length, ...Object.fromEntries(more.map(({ name, hits }) => [name, hits.length])) }
    return { hits, ...(truncated && { truncated }), ...how, corpora: counts }
  },
})

/** After a reindex the session corpus has session atoms as well: the blocks of an atom already in the answer add nothing. */
const sayingOf = ({ title, at, repo = '' }: { readonly title: string; readonly at: string; readonly repo?: string }): string =>
  `${at} ${repo} ${title}`
