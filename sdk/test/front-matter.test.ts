import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type FrontMatter, frontMatterReader } from '../src/front-matter.ts'

let read: (text: string) => FrontMatter
before(async () => {
  read = await frontMatterReader()
})

test('YAML between two lines of --- is read, and the body begins below the blank line', () => {
  assert.deepEqual(read('---\ntitle: My note\ntags:\n  - a\n  - b c\ncount: 3\n---\n\n# Body\n\ntext\n'), {
    head: { title: 'My note', tags: ['a', 'b c'], count: 3 },
    body: '# Body\n\ntext\n',
  })
  assert.deepEqual(read('---\ntitle: x\n...\nbody').head, { title: 'x' })
  assert.deepEqual(read('---\n---\nbody'), { head: {}, body: 'body' })
  assert.deepEqual(read('---\ntitle: x\n---'), { head: { title: 'x' }, body: '' })
})

test('line ends of Windows, a byte order mark and blanks behind the dashes are read', () => {
  for (const text of [
    '---\r\ntitle: x\r\nlist: [a, b]\r\n---\r\n\r\nbody\r\n',
    '\ufeff---\ntitle: x\nlist: [a, b]\n---\n\nbody\r\n',
    '---  \ntitle: x\nlist: [a, b]\n---\t\n\nbody\r\n',
  ])
    assert.deepEqual(read(text), { head: { title: 'x', list: ['a', 'b'] }, body: 'body\r\n' }, JSON.stringify(text))
  assert.deepEqual(read('\ufeffplain'), { body: 'plain' })
})

test('values that are JSON come back as they were written', () => {
  const value = 'a "quoted": [text]\n#\u2028 with everything'
  assert.deepEqual(read(`---\ntitle: ${JSON.stringify(value)}\ntags: ["x", "1.10"]\n---\n\nbody`).head, {
    title: value,
    tags: ['x', '1.10'],
  })
})

test('members that YAML refuses are plain text', () => {
  const { head } = read(
    '---\nname: helper\ndescription: Use this when: the user asks, e.g. user: "help" `x`\ntools: Read, Write\nmodel: "opus"\nlist:\n  - one: two: three\n  - @four\nlong: begins: here\n  and goes on\n---\nbody',
  )
  assert.deepEqual(head, {
    name: 'helper',
    description: 'Use this when: the user asks, e.g. user: "help" `x`',
    tools: 'Read, Write',
    model: 'opus',
    list: ['one: two: three', '@four'],
    long: 'begins: here and goes on',
  })
})

test('a first block that is no YAML is text, and so is one without an end', () => {
  for (const text of [
    '---\n\nA scene begins.\n\n---\n\nAnd goes on.',
    '---\nDear all,\nthe meeting: is moved: again\n---\ntext',
    '---\n- a\n- list\n---\ntext',
    '---\ntitle: never closed\n\ntext',
    '----\ntitle: x\n---\ntext',
    'text\n---\ntitle: x\n---\n',
  ])
    assert.deepEqual(read(text), { body: text }, text)
})

test('a block of members that cannot be read says why', () => {
  const { head, body, fault } = read('---\ntags: [1\n---\n\ntext')
  assert.deepEqual([head, body], [undefined, '---\ntags: [1\n---\n\ntext'])
  assert.match(fault as string, /^tags /)
})

test('no front matter reaches the prototype or grows by aliases', () => {
  const { head } = read('---\n__proto__:\n  polluted: true\n---\nbody')
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
  assert.equal((head as { polluted?: boolean } | undefined)?.polluted, undefined)
  const bomb = ['a: &a [x, x]', ...'bcdefgh'.split('').map((name, i) => `${name}: &${name} [*${'abcdefg'[i]}, *${'abcdefg'[i]}]`)].join(
    '\n',
  )
  assert.equal(
    read(`---\n${bomb}\n---\nbody`).head?.h === undefined || JSON.stringify(read(`---\n${bomb}\n---\nbody`)).length < 10_000,
    true,
  )
})
