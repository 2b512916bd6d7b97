import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { closed, defineTool, type Plugin, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { records } from '../src/collections.ts'
import memory from '../src/index.ts'
import { contents, start, storeAll } from './support.ts'

async function findsEach(texts: Readonly<Record<string, readonly string[]>>): Promise<void> {
  await using gateway = await start()
  await storeAll(
    gateway,
    Object.keys(texts).map((content) => ({ content })),
  )
  for (const [text, queries] of Object.entries(texts))
    for (const query of queries) assert.ok((await contents(gateway, { query })).includes(text), `${text} by ${query}`)
}

test('a word of one Han character is found, alone, beside kana and within a sentence', () =>
  findsEach({
    確定申告の税を計算した: ['税', '確定申告', '税を払う', '計算'],
    水を飲む: ['水は', '水'],
    我喜欢喝水: ['怎么喝', '水'],
    𠮷野家で食べた: ['𠮷', '𠮷野家'],
  }))

test('Japanese words with a long vowel are found, in wide and in narrow letters', () =>
  findsEach({ サーバーが落ちた: ['サーバー', 'ｻｰﾊﾞｰ'], ﾃﾞｰﾀを消した: ['データ'] }))

test('a Korean noun is found whatever particle is written onto it, and as a part of a compound', () =>
  findsEach({
    '서버에서 배포가 실패했습니다': ['서버', '배포', '실패', '서버를', '배포는 왜'],
    '집에 갔다': ['집', '집은', '집으로'],
    '데이터베이스를 옮겼다': ['데이터', '데이터베이스', '베이스'],
  }))

test('Korean that is written in parts of syllables, as file systems do, is the same word', () =>
  findsEach({ '서버 점검': ['서버'.normalize('NFD')], ['회의록'.normalize('NFD')]: ['회의록'] }))

test('Arabic and Hebrew words are found with and without the letters written onto them, and without vowel points', () =>
  findsEach({
    'والكتاب في البيت': ['كتاب', 'الكتاب', 'بالكتاب', 'بيت', 'للبيت'],
    'وصل كِتَابٌ جديد': ['كتاب', 'والكتاب'],
    'כשהבית נמכר': ['בית', 'הבית', 'בבית'],
    'שָׁלוֹם לכולם': ['שלום'],
    'اجتماع في عام ٢٠٢٤': ['2024', '٢٠٢٤'],
  }))

test('Latin letters that do not decompose are found by those that people type in their place, and by themselves', () =>
  findsEach({
    'Københavns havn': ['kobenhavns', 'KØBENHAVNS'],
    'Łódź leży w Polsce': ['lodz', 'łódź', 'LODZ'],
    'Die Straße zum Fuß': ['strasse', 'STRASSE', 'straße', 'fuss'],
    'Đà Nẵng': ['da nang', 'đà'],
    'Ægir og Þór': ['aegir', 'thor', 'þór', 'ÆGIR'],
    'une œuvre': ['oeuvre', 'Œuvre'],
    'Isparta ve ışık': ['isik', 'ışık', 'ISPARTA'],
    'Ħamrun, Tŋa': ['hamrun', 'tna'],
    strasse: ['Straße', 'STRAẞE'],
  }))

test('characters that nobody sees do not cut a word', () =>
  findsEach({
    'data\u200bbase and in\u00adfor\u00admation': ['database', 'information'],
    '\ufeffheader \u2060joined\u200d': ['header', 'joined'],
    'می\u200cخواهم': ['میخواهم', 'می\u200cخواهم'],
    'ب\u0640\u0640يت': ['بيت'],
    plainword: ['plain\u00adword', 'plain\u200bword'],
  }))

test('Thai, Lao, Khmer and Burmese words are found within a sentence without spaces', () =>
  findsEach({
    กำลังปรับใช้เซิร์ฟเวอร์ใหม่: ['เซิร์ฟเวอร์', 'ปรับใช้'],
    ປະເທດລາວສວຍງາມ: ['ລາວ', 'ສວຍງາມ'],
    ភាសាខ្មែរពិរោះ: ['ខ្មែរ', 'ភាសា'],
    မြန်မာစာသင်သည်: ['စာ', 'မြန်မာ'],
  }))

test('a word beside one of another script in the same run is found in all its forms', () =>
  findsEach({ testsの結果とAPI仕様: ['test', '結果', 'api'], 'TypeScript로 작성한다': ['typescript', '작성'] }))

test('a phrase of such a script stands above what only has its parts', async () => {
  await using gateway = await start()
  await storeAll(gateway, [{ content: '税金の話、計算の話、税の計算の話' }, { content: '確定申告の税を計算した' }])
  assert.equal((await contents(gateway, { query: '税を計算' }))[0], '確定申告の税を計算した')
  assert.equal((await contents(gateway, { query: '"税を計算" 話 税金' }))[0], '確定申告の税を計算した')
})

test('the context, session recall and the search of vectors find the same words', async () => {
  await using gateway = await start()
  await storeAll(gateway, [{ content: '서버에서 배포가 실패했습니다', sessionId: 's' }])
  assert.match((await gateway.call('memory_context', { query: '배포' })).context, /서버에서/)
  assert.deepEqual(await contents(gateway, { query: '서버' }, 'recall_session'), ['서버에서 배포가 실패했습니다'])
  const { json } = await gateway.inject({ method: 'POST', url: '/api/vectors/search', body: { query: '서버' } })
  assert.equal(json().count, 1)
})

test('of a long question the rarest words are searched for, wherever they stand', async () => {
  await using gateway = await start()
  const filler = Array.from({ length: 400 }, (_, i) => `filler${i}`).join(' ')
  const chinese = '今天天氣很好我們去公園散步然後回家做飯'.repeat(10)
  const others = ['a', 'b', 'c'].flatMap((end) => [{ content: `${filler} ${end}` }, { content: `${chinese}${end}` }])
  await storeAll(gateway, [{ content: 'The ledger moved to Kiel.' }, { content: '確定申告の税を計算した' }, ...others])
  assert.ok((await contents(gateway, { query: `${filler}\nWhere is the ledger?` })).includes('The ledger moved to Kiel.'))
  assert.ok((await contents(gateway, { query: `Where is the ledger?\n${filler}` })).includes('The ledger moved to Kiel.'))
  assert.ok((await contents(gateway, { query: `${chinese}。確定申告` })).includes('確定申告の税を計算した'))
})

/** Records as earlier versions prepared them: a run of Han in pairs, a Korean word whole. */
const OLD = [
  { content: '確定申告の税を計算した', words: '確定 定申 申告 告の の税 税を を計 計算 算し した', thread: 'session s' },
  { content: '서버에서 배포가 실패했습니다', words: '서버에서 배포가 실패했습니다', thread: 'session s' },
  { content: 'Die Straße', words: 'die straße' },
]
/** The memory plugin with a tool that writes such records. */
const withOldRecords: Plugin = {
  ...memory,
  tools: [
    ...memory.tools,
    defineTool({
      name: 'write_old_records',
      description: 'Writes records as an earlier version did, for a test.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({}, closed),
      output: Type.Object({}, closed),
      uses: { records },
      async handle(_, { records }) {
        const common = { corpus: 'memory', source: 'feature' as const, tags: [], labels: [], createdAt: '2026-01-01T00:00:00.000Z' }
        for (const [i, { content, words, thread }] of OLD.entries()) {
          const around = thread === undefined ? {} : { thread, around: OLD[1 - i]?.words as string }
          await records.insert({ ...common, id: `mem-${i}`, content, hash: `${i}`, storedAs: `${i}`, words, ...around })
        }
        return {}
      },
    }),
  ],
}

test('what an earlier version stored is found as before at once, and by the new words once it was prepared anew', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-words-'))
  try {
    await using gateway: TestGateway = await startTestGateway({ dataDir, plugins: [withOldRecords] })
    await gateway.call('write_old_records')
    for (const [query, content] of [
      ['確定申告', OLD[0]?.content],
      ['서버에서', OLD[1]?.content],
      ['Straße', OLD[2]?.content],
    ] as const)
      assert.equal((await contents(gateway, { query }))[0], content, query)
    assert.deepEqual(await contents(gateway, { query: '배포' }), [])
    await gateway.runJob('memory.prepare-words')
    assert.equal((await contents(gateway, { query: '배포' }))[0], OLD[1]?.content)
    assert.equal((await contents(gateway, { query: '税' }))[0], OLD[0]?.content)
    assert.deepEqual(await contents(gateway, { query: 'strasse' }), [OLD[2]?.content])
    // Each is also found by the words of its neighbour.
    assert.deepEqual((await contents(gateway, { query: '배포' })).length, 2)
    const before = await gateway.documents()
    await gateway.runJob('memory.prepare-words')
    assert.deepEqual(await gateway.documents(), before)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
