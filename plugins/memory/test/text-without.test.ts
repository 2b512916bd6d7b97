import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgottenText, textWithout } from '../src/rules/text-without.ts'
import { hashesOf, hashOf, withoutForgotten } from '../src/rules/tombstones.ts'

const without = (text: string, chunk: string) => textWithout(text, [forgottenText(chunk)])

test('a text is removed at whole words, and with its secret only where the secret is', () => {
  assert.equal(without('Next: reset the API_KEY in the hall.', 'set the API_KEY=[redacted]'), 'Next: reset the API_KEY in the hall.')
  assert.equal(without('One.\n\nThe hoopoe lever hangs there.\n\nTwo.', 'The hoopoe lever hangs there.'), 'One.\n\nTwo.')
  assert.equal(without('The hoopoe lever hangs thereabouts.', 'The hoopoe lever hangs there'), 'The hoopoe lever hangs thereabouts.')
})

test('a forgotten piece takes what the piece behind it repeats of it', () => {
  const text = 'Alpha bravo charlie delta echo foxtrot. Golf hotel india juliett kilo lima. Mike november oscar papa quebec romeo.'
  const middle = { start: text.indexOf('Golf'), end: text.indexOf(' Mike') }
  const none = { texts: new Set<string>(), sentences: new Set<string>() }
  assert.equal(withoutForgotten(text, none, [middle]), 'Alpha bravo charlie delta echo foxtrot. Mike november oscar papa quebec romeo.')
})

test('sentences are removed by their own tombstones alone', () => {
  const text = 'All the tests of the suite pass. The zebra is striped and tall.'
  const { texts, sentences } = hashesOf('All the tests of the suite pass.')
  assert.ok(texts.includes(hashOf('All the tests of the suite pass.')))
  assert.equal(withoutForgotten(text, { texts: new Set(texts), sentences: new Set() }), text)
  assert.equal(withoutForgotten(text, { texts: new Set(), sentences: new Set(sentences) }), 'The zebra is striped and tall.')
})
